package dev.shardwright.mysql.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppUserTest {

    @ParameterizedTest
    @ValueSource(strings = {"root", "mysql.sys", "shardwright_operator", "shardwright_mover"})
    void reservedNamesAreRefused(String name) {
        assertThatThrownBy(() -> new AppUser(name, "p", List.of("ALL"))).hasMessageContaining("reserved");
    }

    @Test
    void onlyPrivilegesOnADatabaseAreGiven() {
        for (var privilege : List.of("SUPER", "CONNECTION_ADMIN", "GRANT OPTION", "FILE", "ALL ON *.* TO x; --")) {
            assertThatThrownBy(() -> new AppUser("app", "p", List.of(privilege)))
                    .hasMessageContaining("can't be granted on a keyspace");
        }
        assertThat(new AppUser("app", "p", List.of("select", "SELECT")).privileges())
                .containsExactly("SELECT");
        assertThat(new AppUser("app", "p", List.of("SELECT", "ALL")).privileges())
                .containsExactly("ALL");
    }

    @Test
    void aPasswordWithALineEndIsRefusedAndNotShown() {
        assertThatThrownBy(() -> new AppUser("app", "secret\n", List.of("ALL")))
                .hasMessageContaining("line break")
                .hasMessageNotContaining("secret");
        assertThat(new AppUser("app", "secret", List.of("ALL")).toString()).doesNotContain("secret");
    }

    @Test
    void aPasswordsTagTellsUsersAndPasswordsApart() {
        var user = new AppUser("app", "p", List.of("ALL"));
        var tag = PasswordTag.of("chat", user);

        assertThat(PasswordTag.of("chat", user)).isEqualTo(tag);
        assertThat(PasswordTag.of("chat", new AppUser("app", "q", List.of("ALL"))))
                .isNotEqualTo(tag);
        assertThat(PasswordTag.of("chat", new AppUser("other", "p", List.of("ALL"))))
                .isNotEqualTo(tag);
        assertThat(PasswordTag.of("shop", user)).isNotEqualTo(tag);
    }

    @Test
    void isMadeByTheSameTextAtAnyTime() {
        // Local servers are copies of one that the same text has made, and a Secret is written when the text differs.
        assertThat(Users.creation("chat", new AppUser("app", "p", List.of("ALL"))))
                .noneMatch(sql -> sql.contains(PasswordTag.SINCE));
    }
}
