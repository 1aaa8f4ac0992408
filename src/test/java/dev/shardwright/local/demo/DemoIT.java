package dev.shardwright.local.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.local.demo.DemoOptions.Fault;
import dev.shardwright.local.workload.ChatShape;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of it on one machine, small: servers, router, client processes, split, check. */
class DemoIT {
    private static final ChatShape SMALL = new ChatShape(4_000, 100, 40, 600, 1_000);

    @TempDir
    private static Path directory;

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @Test
    void aSplitUnderLoadLosesNothing() throws Exception {
        var result = run("clean", Fault.NONE);

        assertThat(result.nothingLost()).as(text()).isTrue();
        assertThat(result.split().phase()).isEqualTo("Switched");
        assertThat(text()).contains("c0-e0  e0-", "8,600 rows loaded", "Nothing was lost");
        assertThat(processesOf("clean")).isEmpty();
    }

    @Test
    void aRowDeletedOnATargetIsFoundAndNamed() throws Exception {
        var result = run("fault", Fault.DELETE_ROW);

        assertThat(result.nothingLost()).isFalse();
        assertThat(text()).contains("fault: deleted the row channel_id=");
        String key = text().replaceAll("(?s).*deleted the row (channel_id=\\d+, id=\\d+).*", "$1");
        assertThat(result.split().message()).contains("messages", key);
        assertThat(result.check().clean())
                .as("the old shards still serve, whole")
                .isTrue();
        assertThat(processesOf("fault")).isEmpty();
    }

    private Demo.Result run(String name, Fault fault) throws SQLException, InterruptedException {
        var options = new DemoOptions(
                directory.resolve(name), SMALL, 2, 1, Duration.ofMillis(20), Duration.ofMillis(500), fault, false);
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8);
        try (var demo = new Demo(options, new Terminal(out, false))) {
            return demo.run();
        }
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private static Stream<ProcessHandle> processesOf(String name) {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(directory.resolve(name) + "/"));
    }
}
