package dev.shardwright.testing;

import dev.shardwright.mysql.admin.AppUser;
import dev.shardwright.mysql.admin.Bootstrap;
import dev.shardwright.mysql.admin.Identity;
import dev.shardwright.mysql.admin.MysqlAccount;
import dev.shardwright.mysql.server.LocalMysqld;
import dev.shardwright.mysql.server.MysqlHome;
import dev.shardwright.reshard.copy.ThrottleLimits;
import java.nio.file.Path;
import java.util.List;

/** Real MySQL servers for integration tests; all share one template, so a server takes a second or two. */
public final class TestServers {
    public static final String KEYSPACE = "chat";
    /** A database beside the keyspace's, also open to {@link #APP}. */
    public static final String ASIDE = "aside";

    public static final MysqlAccount OPERATOR = new MysqlAccount(MysqlAccount.OPERATOR, "operator-secret");
    public static final MysqlAccount MOVER = new MysqlAccount(MysqlAccount.MOVER, "mover-secret");
    public static final MysqlAccount APP = new MysqlAccount("app", "app-secret");

    /** Servers of tests share their machine with others, so latencies there say nothing. */
    public static final ThrottleLimits UNHINDERED = new ThrottleLimits(null, 100_000, 100_000, 3_600_000);

    private TestServers() {}

    public static Bootstrap bootstrap(boolean fenced) {
        return bootstrap(
                fenced,
                List.of(
                        "CREATE DATABASE " + ASIDE,
                        "GRANT ALL ON " + ASIDE + ".* TO '" + APP.user() + "'@'%'",
                        // For transactions whose ids have a tag, and to purge binary logs.
                        "GRANT TRANSACTION_GTID_TAG, BINLOG_ADMIN ON *.* TO '" + OPERATOR.user() + "'@'%'",
                        // Nobody has them yet; the operator of the tests may grant them.
                        "CREATE ROLE reader, writer",
                        "GRANT reader, writer TO '" + OPERATOR.user() + "'@'%' WITH ADMIN OPTION"));
    }

    private static Bootstrap bootstrap(boolean fenced, List<String> more) {
        return new Bootstrap(
                KEYSPACE,
                OPERATOR,
                MOVER,
                List.of(new AppUser(APP.user(), APP.password(), List.of("ALL"))),
                fenced,
                more);
    }

    /** An open server of keyspace {@link #KEYSPACE} in its own directory. */
    public static LocalMysqld start(Path directory, String uid, String range) {
        return start(directory, uid, range, false);
    }

    public static LocalMysqld start(Path directory, String uid, String range, boolean fenced) {
        return start(directory, bootstrap(fenced), uid, range);
    }

    /** As the product makes it, with nothing beside the keyspace's database but what these statements of root's make. */
    public static LocalMysqld startPlain(Path directory, String uid, String range, String... more) {
        return start(directory, bootstrap(false, List.of(more)), uid, range);
    }

    private static LocalMysqld start(Path directory, Bootstrap bootstrap, String uid, String range) {
        return LocalMysqld.start(MysqlHome.find(), directory, bootstrap, new Identity(KEYSPACE, uid, range), List.of());
    }
}
