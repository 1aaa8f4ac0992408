package dev.shardwright.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void anUnknownCommandIsNamedAndTheExitCodeSaysUsage() {
        var err = new StringWriter();

        int code = Main.commandLine().setErr(new PrintWriter(err)).execute("lokal");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("lokal").doesNotContain("\tat ");
    }

    @Test
    void aMissingFileIsSaidInWords() {
        assertThat(FriendlyErrors.describe(new UncheckedIOException(new NoSuchFileException("keyspace.yaml"))))
                .isEqualTo("keyspace.yaml: there is no such file");
    }

    @Test
    void anErrorWithoutWordsTellsHowToLearnMore() {
        assertThat(FriendlyErrors.describe(new NullPointerException()))
                .contains("NullPointerException", "SHARDWRIGHT_DEBUG");
    }
}
