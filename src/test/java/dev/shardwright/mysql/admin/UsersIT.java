package dev.shardwright.mysql.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.testing.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersIT {
    /** Quotes, a backslash, a percent sign, and what is no ASCII. */
    private static final String PASSWORD = "a'b\\c\"d%e`f;-- é😀";

    @TempDir
    static Path directory;

    /** Somebody else's doing: the operator may neither grant nor revoke the role. */
    private static final String[] ROLE = {"CREATE ROLE keeper, handmade", "GRANT keeper TO handmade"};

    private static LocalMysqld here;
    private static LocalMysqld there;

    @BeforeAll
    static void start() {
        here = TestServers.startPlain(directory.resolve("here"), "u1", "-80", ROLE);
        there = TestServers.startPlain(directory.resolve("there"), "u2", "80-", ROLE);
    }

    @AfterAll
    static void stop() {
        here.close();
        there.close();
    }

    @Test
    void theBootstrappedUserIsAsItShouldBeAlready() throws SQLException {
        try (var operator = here.connect(TestServers.OPERATOR)) {
            var users = new Users(operator, TestServers.KEYSPACE);

            assertThat(users.ensure(new AppUser("app", TestServers.APP.password(), List.of("ALL"))))
                    .isFalse();
        }
    }

    @Test
    void aUserIsMadeChangedAndDropped() throws SQLException {
        try (var operator = here.connect(TestServers.OPERATOR)) {
            var users = new Users(operator, TestServers.KEYSPACE);
            var before = gtids(operator);

            assertThat(users.ensure(new AppUser("o'neil", PASSWORD, List.of("SELECT", "INSERT"))))
                    .isTrue();
            assertThat(users.ensure(new AppUser("o'neil", PASSWORD, List.of("INSERT", "SELECT"))))
                    .isFalse();
            here.connect(new MysqlAccount("o'neil", PASSWORD)).close();

            assertThat(users.ensure(new AppUser("o'neil", "new", List.of("SELECT"))))
                    .isTrue();
            here.connect(new MysqlAccount("o'neil", PASSWORD)).close();
            assertThat(users.ensure(new AppUser("o'neil", "new", List.of("SELECT"))))
                    .as("routers may not know the new password yet")
                    .isFalse();
            var later = new Users(operator, TestServers.KEYSPACE, Duration.ZERO);
            assertThat(later.ensure(new AppUser("o'neil", "new", List.of("SELECT"))))
                    .isTrue();
            assertThat(later.ensure(new AppUser("o'neil", "new", List.of("SELECT"))))
                    .isFalse();
            assertErrno(1045, new MysqlAccount("o'neil", PASSWORD));
            try (var connection = here.connect(new MysqlAccount("o'neil", "new"));
                    var statement = connection.createStatement()) {
                assertThatThrownBy(() -> statement.execute("CREATE TABLE chat.x (id INT)"))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getErrorCode()).isEqualTo(1142));
            }

            users.drop("o'neil");
            users.drop("o'neil");
            assertErrno(1045, new MysqlAccount("o'neil", "new"));
            assertThat(gtids(operator))
                    .as("a mover must not meet account statements")
                    .isEqualTo(before);
        }
    }

    @Test
    void whatSomebodyGrantedByHandIsTakenBack() throws SQLException {
        try (var operator = here.connect(TestServers.OPERATOR);
                var statement = operator.createStatement()) {
            var users = new Users(operator, TestServers.KEYSPACE);
            var user = new AppUser("hand", "p", List.of("SELECT"));
            users.ensure(user);
            statement.execute("GRANT INSERT ON chat.* TO hand");

            assertThat(users.ensure(user)).isTrue();
            assertThat(users.ensure(user)).isFalse();
            users.drop("hand");
        }
    }

    @Test
    void whoMustTakeARoleBackIsTold() throws SQLException {
        try (var operator = here.connect(TestServers.OPERATOR);
                var its = there.connect(TestServers.OPERATOR)) {
            var users = new Users(operator, TestServers.KEYSPACE);
            var user = new AppUser("handmade", "p", List.of("SELECT"));

            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> users.ensure(user)).isInstanceOfSatisfying(SQLException.class, e -> {
                    assertThat(e.getErrorCode()).isEqualTo(1227);
                    assertThat(e.getMessage())
                            .contains("run as an administrator: REVOKE `keeper`@`%` FROM 'handmade'@'%'")
                            .contains("ROLE_ADMIN");
                });
            }
            users.drop("handmade");
            new Users(its, TestServers.KEYSPACE).drop("handmade");
        }
    }

    @Test
    void differencesBetweenTwoServersAreNamed() throws SQLException {
        try (var a = here.connect(TestServers.OPERATOR);
                var b = there.connect(TestServers.OPERATOR)) {
            var mine = new Users(a, TestServers.KEYSPACE);
            var its = new Users(b, TestServers.KEYSPACE);
            assertThat(mine.differences(its)).isEmpty();

            mine.ensure(new AppUser("both", "p", List.of("SELECT")));
            its.ensure(new AppUser("both", "p", List.of("SELECT")));
            assertThat(mine.differences(its))
                    .as("the same password, under another salt")
                    .isEmpty();

            its.ensure(new AppUser("both", "q", List.of("SELECT")));
            mine.ensure(new AppUser("mine", "p", List.of("SELECT")));
            its.ensure(new AppUser("its", "p", List.of("SELECT")));
            its.ensure(new AppUser("app", TestServers.APP.password(), List.of("SELECT")));
            assertThat(mine.differences(its))
                    .satisfiesExactly(
                            d -> assertThat(d).contains("'app'@'%' differs", "ALL PRIVILEGES", "SELECT"),
                            d -> assertThat(d).contains("'both'@'%' differs"),
                            d -> assertThat(d).contains("'its'@'%' is only on the other server"),
                            d -> assertThat(d).contains("'mine'@'%' is missing on the other server"));
        }
    }

    private static void assertErrno(int errno, MysqlAccount account) {
        assertThatThrownBy(() -> here.connect(account).close())
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getErrorCode()).isEqualTo(errno));
    }

    private static String gtids(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT @@GLOBAL.gtid_executed")) {
            row.next();
            return row.getString(1);
        }
    }
}
