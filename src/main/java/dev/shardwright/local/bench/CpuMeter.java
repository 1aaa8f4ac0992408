package dev.shardwright.local.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** CPU time and memory of this process and of its MySQL servers. */
final class CpuMeter {

    /** CPU time used so far, by this process and by those that it started and that still run. */
    record Used(Duration own, Duration servers) {
        Used since(Used before) {
            return new Used(own.minus(before.own), servers.minus(before.servers));
        }
    }

    private CpuMeter() {}

    static Used now() {
        var own = ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
        var servers = ProcessHandle.current()
                .children()
                .map(child -> child.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
        return new Used(own, servers);
    }

    /** The most that this process has had in memory at one time, in MiB. */
    static long peakMebibytes() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
                .findFirst()
                .orElse(0);
    }
}
