package dev.shardwright.router.planner;

import dev.shardwright.router.planner.parse.Names;
import dev.shardwright.router.planner.parse.ParsedStatement;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.CallStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DeleteStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.DoStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FunctionCallContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.InsertStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.ReplaceStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectItemContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SelectStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SetStatementContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UpdateStatementContext;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.antlr.v4.runtime.tree.ParseTree;
import org.jspecify.annotations.Nullable;

/**
 * Where a statement calls CONNECTION_ID(). A client's id is the one that its login was told, whatever server session
 * runs the statement, so that id is put in the call's place. Only beside what knows sessions by the servers' own ids (the
 * process list, IS_USED_LOCK()) the call stays, so that both can be compared.
 */
public final class ConnectionIds {
    private static final String FUNCTION = "CONNECTION_ID";
    /** They take or give servers' ids. */
    private static final Set<String> OF_SERVERS = Set.of("IS_USED_LOCK", "PS_THREAD_ID");

    private static final Set<String> DATABASES = Set.of("information_schema", "performance_schema", "sys", "mysql");

    /** The longest that MySQL takes, in characters. */
    private static final int MAX_ALIAS = 256;

    static final ConnectionIds NONE = new ConnectionIds(List.of());

    /** A part of the text, from one byte to before another; {@code text} takes its place, the id where that is null. */
    private record Splice(int start, int end, byte @Nullable [] text) {}

    private final List<Splice> splices;

    private ConnectionIds(List<Splice> splices) {
        this.splices = splices;
    }

    static ConnectionIds of(Planning planning) {
        var functions = planning.features().functions;
        if (!functions.contains(FUNCTION)
                || functions.stream().anyMatch(OF_SERVERS::contains)
                || !takes(Planning.statementOf(planning.parsed()).getChild(0))
                || readsOfServers(planning)) {
            return NONE;
        }
        var text = planning.parsed().scan().statement();
        var splices = new ArrayList<Splice>();
        collect(planning.parsed().tree(), text, splices);
        return new ConnectionIds(splices);
    }

    private static boolean takes(ParseTree statement) {
        return statement instanceof SelectStatementContext
                || statement instanceof InsertStatementContext
                || statement instanceof ReplaceStatementContext
                || statement instanceof UpdateStatementContext
                || statement instanceof DeleteStatementContext
                || statement instanceof DoStatementContext
                || statement instanceof SetStatementContext
                || statement instanceof CallStatementContext;
    }

    private static boolean readsOfServers(Planning planning) {
        var now = planning.context().database();
        return Trees.all(planning.parsed().tree(), TableRefContext.class).stream()
                .map(table -> Names.of(table).database())
                .map(database -> database == null ? now : database)
                .anyMatch(database -> database != null && DATABASES.contains(database.toLowerCase(Locale.ROOT)));
    }

    /** A column that has no name of its own keeps the one that its text has given it. */
    private static void collect(ParseTree node, byte[] text, List<Splice> splices) {
        if (node instanceof FunctionCallContext call && FUNCTION.equals(Features.nameOf(call))) {
            splices.add(new Splice(ParsedStatement.start(call), ParsedStatement.end(call), null));
            return;
        }
        int before = splices.size();
        for (int i = 0; i < node.getChildCount(); i++) {
            collect(node.getChild(i), text, splices);
        }
        if (splices.size() > before
                && node instanceof SelectItemContext item
                && item.selectAlias() == null
                && !(item.getParent().getParent() instanceof DoStatementContext)) {
            int start = ParsedStatement.start(item);
            int end = ParsedStatement.end(item);
            if (end - start <= MAX_ALIAS) {
                var name = new String(text, start, end - start, StandardCharsets.ISO_8859_1);
                var alias = " AS `" + name.replace("`", "``") + "`";
                splices.add(new Splice(end, end, alias.getBytes(StandardCharsets.ISO_8859_1)));
            }
        }
    }

    public boolean isEmpty() {
        return splices.isEmpty();
    }

    /** The text with this id, which has the type of the function's value. */
    public byte[] in(byte[] text, int id) {
        var value = ("CAST(" + Integer.toUnsignedString(id) + " AS UNSIGNED)").getBytes(StandardCharsets.US_ASCII);
        var out = new ByteArrayOutputStream(text.length + splices.size() * value.length);
        int from = 0;
        for (var splice : splices) {
            out.write(text, from, splice.start() - from);
            out.writeBytes(splice.text() == null ? value : splice.text());
            from = splice.end();
        }
        out.write(text, from, text.length - from);
        return out.toByteArray();
    }
}
