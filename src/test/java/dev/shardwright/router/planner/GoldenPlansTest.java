package dev.shardwright.router.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shardwright.api.VSchema.UnlistedTables;
import dev.shardwright.router.planner.scan.SqlModes;
import dev.shardwright.topology.model.Topology;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * src/test/resources/planner/*.plans: each statement, indented below it its plan. After a wanted change,
 * run with PLANNER_GOLDEN=write in the environment and read the difference.
 */
class GoldenPlansTest {
    private static final Path FOLDER = Path.of("src/test/resources/planner");

    @ParameterizedTest
    @CsvSource({
        "select,four,text", "joins,four,text", "write,four,text", "prepared,four,prepared", "session,four,text",
        "ddl,four,text", "show,four,text", "oneshard,one,text", "ansi,four,ansi", "unlisted,refuse,text"
    })
    void plansAreAsWritten(String file, String keyspace, String context) throws IOException {
        var path = FOLDER.resolve(file + ".plans");
        var text = Files.readString(path);
        var actual = plan(text, Planners.planner(topology(keyspace)), context(context));
        if ("write".equals(System.getenv("PLANNER_GOLDEN"))) {
            Files.writeString(path, actual);
        }
        assertThat(actual).isEqualTo(text);
    }

    private static Topology topology(String keyspace) {
        return switch (keyspace) {
            case "one" -> Planners.topology(Planners.vschema(UnlistedTables.FirstShard), "-");
            case "refuse" -> Planners.topology(Planners.vschema(UnlistedTables.Refuse), "-80", "80-");
            default -> Planners.fourShards();
        };
    }

    private static StatementContext context(String name) {
        return switch (name) {
            case "prepared" -> Planners.PREPARED;
            case "ansi" ->
                new StatementContext(
                        "chat", "utf8mb4", SqlModes.parse("ANSI,NO_BACKSLASH_ESCAPES,HIGH_NOT_PRECEDENCE"), false);
            default -> Planners.TEXT;
        };
    }

    private static String plan(String text, StatementPlanner planner, StatementContext context) {
        var out = new ArrayList<String>();
        for (var line : statements(text)) {
            if (line.isBlank() || line.startsWith("#")) {
                out.add(line);
                continue;
            }
            var bytes = line.replace("\\n", "\n").getBytes(StandardCharsets.UTF_8);
            var first = PlanText.of(planner.plan(bytes, context));
            var cached = planner.cached(bytes, context);
            assertThat(cached == null ? first : PlanText.of(cached)).isEqualTo(first);
            out.add(line);
            out.add("    " + first.replace("\n", "\\n"));
        }
        return String.join("\n", out) + "\n";
    }

    private static List<String> statements(String text) {
        return text.lines().filter(line -> !line.startsWith("    ")).toList();
    }
}
