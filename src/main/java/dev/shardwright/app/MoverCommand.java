package dev.shardwright.app;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.reshard.mover.Mover;
import dev.shardwright.reshard.mover.MoverManagement;
import dev.shardwright.reshard.mover.MoverSpec;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code shardwright mover}: moves the rows of one source shard until it is stopped. */
@Command(
        name = "mover",
        mixinStandardHelpOptions = true,
        description = "Moves one source shard's rows to its targets and keeps these equal to it, until it is stopped.")
final class MoverCommand implements Callable<Integer> {
    private static final String PASSWORD_FILE = "mover-password";

    @Option(
            names = "--spec",
            required = true,
            paramLabel = "FILE",
            description = "JSON that says what to move from where.")
    Path spec = Path.of("mover.json");

    @Option(
            names = "--credentials",
            required = true,
            paramLabel = "DIR",
            description =
                    "Directory with the file " + PASSWORD_FILE + ", the password of shardwright_mover on every server.")
    Path credentials = Path.of(".");

    @Option(
            names = "--management",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8080",
            description = "Where /progress, /healthz and /metrics answer (default ${DEFAULT-VALUE}).")
    String management = "";

    @Override
    public Integer call() throws Exception {
        ProcessLog.toConsole();
        var account = new MysqlAccount(
                MysqlAccount.MOVER,
                Files.readString(credentials.resolve(PASSWORD_FILE)).strip());
        var stop = new CountDownLatch(1);
        try (var mover = new Mover(readSpec(), account);
                var server = MoverManagement.start(address(management), mover)) {
            Runtime.getRuntime().addShutdownHook(new Thread(stop::countDown, "stop"));
            mover.start();
            stop.await();
        }
        return 0;
    }

    private MoverSpec readSpec() throws IOException {
        var mapper = new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
        try {
            return mapper.readValue(spec.toFile(), MoverSpec.class);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(spec + " is not a mover's specification: " + e.getOriginalMessage(), e);
        }
    }

    static InetSocketAddress address(String text) {
        var colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("--management " + text + " is not HOST:PORT");
        }
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
