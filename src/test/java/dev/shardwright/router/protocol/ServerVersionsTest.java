package dev.shardwright.router.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ServerVersionsTest {
    private final ServerVersions versions = new ServerVersions();

    @Test
    void clientsAreToldTheLowestThatWasHeard() {
        versions.heard("a", "9.7.4");
        assertThat(versions.reported()).isEqualTo("9.7.4-Shardwright");
        versions.heard("b", "8.4.10");
        versions.heard("c", "8.4.9-0ubuntu1");
        assertThat(versions.reported()).isEqualTo("8.4.9-0ubuntu1-Shardwright");
    }

    @Test
    void aServerThatWasUpgradedAndOneThatHasGoneAreNotCounted() {
        versions.heard("a", "9.7.4");
        versions.heard("b", "8.4.3");
        versions.heard("b", "9.8.0");
        assertThat(versions.reported()).isEqualTo("9.7.4-Shardwright");
        versions.keep(List.of("b"));
        assertThat(versions.reported()).isEqualTo("9.8.0-Shardwright");
        versions.keep(List.of());
        assertThat(versions.reported()).isEqualTo("9.8.0-Shardwright");
        assertThat(versions.knows("b")).isFalse();
    }

    @Test
    void beforeAnyServerIsHeardItIsTheOldestThatIsSupported() {
        assertThat(versions.reported()).isEqualTo("8.4.0-Shardwright");
        versions.heard("a", "MariaDB");
        versions.heard("a", "99999999999.1.1");
        assertThat(versions.reported()).isEqualTo("8.4.0-Shardwright");
        assertThat(versions.knows("a")).isFalse();
    }

    @Test
    void aLongVersionIsCut() {
        versions.heard("a", "8.4.3-" + "x".repeat(500));
        assertThat(versions.reported())
                .hasSizeLessThan(64)
                .startsWith("8.4.3-xxx")
                .endsWith("-Shardwright");
    }
}
