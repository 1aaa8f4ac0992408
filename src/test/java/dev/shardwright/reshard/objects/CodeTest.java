package dev.shardwright.reshard.objects;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.reshard.objects.SchemaObject.Kind;
import dev.shardwright.reshard.objects.SchemaObject.Session;
import java.util.List;
import org.junit.jupiter.api.Test;

class CodeTest {
    private static SchemaObject function(String name, String body) {
        return new SchemaObject(Kind.FUNCTION, name, "", 0, body, "", new Session("", "", "utf8mb4", "", ""));
    }

    @Test
    void seesNamesWhereverTheyAreButInComments() {
        assertThat(Code.words(
                        "SELECT `a``b`.C1 -- one\n, 'two /* ' /* three */ FROM d # four\n WHERE e = \"-- fi\\\"ve\""))
                .contains("a", "b", "c1", "two", "from", "d", "e", "fi", "ve")
                .doesNotContain("one", "three", "four");
        assertThat(Code.words("a--b /*!80000 c */ /* open"))
                .contains("a", "b", "c")
                .doesNotContain("open");
    }

    @Test
    void tellsRoutinesThatMayTouchTables() {
        var objects = List.of(
                function("plain", "RETURN REPLACE(INSERT(a, 1, 2, 'x'), 'y', 'z') -- FROM t"),
                function("reads", "RETURN (SELECT MAX(a) FROM t)"),
                function("writes", "BEGIN REPLACE t VALUES (1); RETURN 1; END"),
                function("asks", "RETURN `Reads`() + 1"),
                function("asksAgain", "RETURN asks()"),
                function("handles", "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN END; RETURN plain(1); END"));
        assertThat(Code.routinesWithoutTables(objects))
                .extracting(SchemaObject::name)
                .containsExactly("plain", "handles");
    }
}
