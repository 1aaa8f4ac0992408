package dev.shardwright.reshard.mover;

import static dev.shardwright.reshard.mover.MoveFixture.HIGH;
import static dev.shardwright.reshard.mover.MoveFixture.LOW;
import static dev.shardwright.reshard.mover.MoveFixture.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shardwright.reshard.mover.MoverProgress.Stage;
import java.sql.SQLIntegrityConstraintViolationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Foreign keys whose rows stay together: kinds refer to numbers by the shard key, plain tables to each other. */
class ForeignKeysIT {
    private static final String[] TABLES = {
        "CREATE TABLE numbers (id BIGINT PRIMARY KEY, v INT)",
        "CREATE TABLE kinds (id BIGINT, n INT, parent INT, PRIMARY KEY (id, n), KEY (id, parent),"
                + " CONSTRAINT to_number FOREIGN KEY (id) REFERENCES numbers (id) ON DELETE CASCADE ON UPDATE CASCADE,"
                + " CONSTRAINT to_itself FOREIGN KEY (id, parent) REFERENCES kinds (id, n) ON DELETE CASCADE)",
        "CREATE TABLE z_groups (g INT PRIMARY KEY)",
        "CREATE TABLE a_members (m INT PRIMARY KEY, g INT, CONSTRAINT to_group FOREIGN KEY (g) REFERENCES z_groups (g)"
                + " ON DELETE SET NULL)"
    };

    private static final String[] NAMES = {"numbers", "kinds", "z_groups", "a_members"};

    @RegisterExtension
    static final MoveFixture fixture = new MoveFixture();

    private static void insert(int server, int from) throws Exception {
        for (int i = from; i < from + 20; i++) {
            fixture.run(
                    server,
                    "INSERT INTO numbers VALUES (" + i + ", 0)",
                    "INSERT INTO kinds VALUES (" + i + ", 1, NULL), (" + i + ", 2, 1), (" + i + ", 3, 2)");
        }
    }

    private static void cascade(int server) throws Exception {
        fixture.run(
                server,
                "DELETE FROM numbers WHERE id % 5 = 0",
                "DELETE FROM kinds WHERE id % 5 = 1 AND n = 2",
                "UPDATE numbers SET v = v + 1 WHERE id % 5 = 2");
    }

    @Test
    void cascadesReachTheTargetsAndGoOnThere() throws Exception {
        fixture.begin(List.of(WHOLE), TABLES);
        insert(WHOLE, 0);
        fixture.run(
                WHOLE,
                "INSERT INTO z_groups VALUES (1), (2), (3)",
                "INSERT INTO a_members VALUES (1, 1), (2, 1), (3, 2), (4, 3)");
        var mover = fixture.splitSlowly();
        insert(WHOLE, 100);
        cascade(WHOLE);
        MoveFixture.awaitStage(mover, Stage.Streaming);
        insert(WHOLE, 200);
        cascade(WHOLE);
        fixture.run(
                WHOLE,
                "UPDATE numbers SET id = id + 1000 WHERE id % 5 = 3 AND id NOT IN (SELECT id FROM kinds WHERE n = 2)",
                "DELETE FROM kinds WHERE n > 1 AND id % 5 = 4",
                "UPDATE numbers SET id = id + 1000 WHERE id % 5 = 4",
                "DELETE FROM z_groups WHERE g = 1");

        fixture.assertSame(List.of(WHOLE), List.of(LOW, HIGH), NAMES);
        assertThat(fixture.one(LOW, "SELECT COUNT(*) FROM chat.a_members WHERE g IS NULL"))
                .isEqualTo("2");
        assertThat(fixture.one(LOW, "SELECT COUNT(*) FROM chat.kinds"))
                .as("something was left to compare")
                .isNotEqualTo("0");
        fixture.closeMovers();

        assertThatThrownBy(() -> fixture.run(LOW, "INSERT INTO a_members VALUES (9, 9)"))
                .isInstanceOf(SQLIntegrityConstraintViolationException.class);
        // The way back: what cascades on the targets reaches the source.
        var from = List.of(
                fixture.one(LOW, "SELECT @@GLOBAL.gtid_executed"), fixture.one(HIGH, "SELECT @@GLOBAL.gtid_executed"));
        for (int i = 0; i < 2; i++) {
            var back = fixture.start(fixture.spec(LOW + i, List.of(WHOLE), 1, from.get(i)));
            MoveFixture.awaitStage(back, Stage.Streaming);
            cascade(LOW + i);
        }
        fixture.run(LOW, "DELETE FROM z_groups WHERE g = 2");
        fixture.assertSame(List.of(LOW, HIGH), List.of(WHOLE), NAMES);
    }

    @Test
    void oneThatWouldGoAcrossShardsIsRefusedByName() throws Exception {
        fixture.begin(
                List.of(WHOLE),
                "CREATE TABLE numbers (id BIGINT PRIMARY KEY)",
                "CREATE TABLE notes (n INT PRIMARY KEY, id BIGINT, CONSTRAINT to_number FOREIGN KEY (id) REFERENCES numbers (id))");
        assertThat(MoveFixture.await(fixture.split(), unused -> false).failure())
                .contains("foreign key to_number of table notes would go across shards")
                .contains("notes lives on the first shard, numbers is sharded by id");
    }
}
