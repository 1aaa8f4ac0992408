package dev.shardwright.local;

import dev.shardwright.reshard.mover.Mover;
import dev.shardwright.reshard.mover.MoverManagement;
import dev.shardwright.reshard.mover.MoverProgress.Stage;
import dev.shardwright.reshard.mover.MoverSpec;
import dev.shardwright.reshard.mover.MoverTuning;
import dev.shardwright.testing.TestServers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A mover as a process, with small chunks, that can be held before each stage. Arguments: its spec's file, its port. */
final class MoverMain {
    private static final MoverTuning SMALL = new MoverTuning(2, 8 << 20, 4 << 20, 32 << 20, 500, 60_000);

    private MoverMain() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var control = Control.start();
        var spec = Wishes.JSON.readValue(Files.readString(Path.of(arguments[0])), MoverSpec.class);
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[1]));
        control.reach(Stage.Starting);
        try (var mover = new Mover(spec, TestServers.MOVER, SMALL, control::reach);
                var management = MoverManagement.start(address, mover)) {
            mover.start();
            new CountDownLatch(1).await();
        }
    }
}
