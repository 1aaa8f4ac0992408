package dev.shardwright.router.planner.parse;

import io.debezium.ddl.parser.mysql.generated.MySqlParser.DotIdentifierContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.FieldIdentifierContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.QualifiedIdentifierContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.SimpleIdentifierContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableNameContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.TableRefContext;
import io.debezium.ddl.parser.mysql.generated.MySqlParser.UserVariableContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RuleContext;
import org.jspecify.annotations.Nullable;

/** Names in a parse tree, without their quotes. */
public final class Names {
    private Names() {}

    /** The name that an identifier node spells. */
    public static String of(RuleContext identifier) {
        return unquoted(identifier.getText());
    }

    /** {@code @} and the name in lower case, without quotes. */
    public static String of(UserVariableContext variable) {
        var text = variable.getText().substring(1);
        boolean quoted = !text.isEmpty() && "`'\"".indexOf(text.charAt(0)) >= 0;
        return "@" + utf8(quoted ? text.substring(1, text.length() - 1) : text).toLowerCase(Locale.ROOT);
    }

    /** The text of the tree is one character for each byte, see TamedText. */
    static String unquoted(String text) {
        var bare = text.startsWith("`") ? text.substring(1, text.length() - 1) : text;
        return utf8(bare);
    }

    private static String utf8(String bytes) {
        return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    public static Qualified of(TableRefContext table) {
        return table.qualifiedIdentifier() == null
                ? new Qualified(null, Names.of(table.dotIdentifier().identifier()))
                : of(table.qualifiedIdentifier());
    }

    public static Qualified of(TableNameContext table) {
        return table.qualifiedIdentifier() == null
                ? new Qualified(null, Names.of(table.dotIdentifier().identifier()))
                : of(table.qualifiedIdentifier());
    }

    public static Qualified of(QualifiedIdentifierContext name) {
        var first = Names.of(name.identifier());
        return name.dotIdentifier() == null
                ? new Qualified(null, first)
                : new Qualified(first, Names.of(name.dotIdentifier().identifier()));
    }

    /** A column as written: its parts from left to right, 1 to 3 of them. */
    public static List<String> parts(FieldIdentifierContext column) {
        var qualified = column.qualifiedIdentifier();
        if (qualified == null) {
            return List.of(Names.of(column.dotIdentifier().identifier()));
        }
        return parts(qualified.identifier(), qualified.dotIdentifier(), column.dotIdentifier());
    }

    public static List<String> parts(SimpleIdentifierContext column) {
        var dots = column.dotIdentifier();
        return parts(column.identifier(), dots.isEmpty() ? null : dots.get(0), dots.size() < 2 ? null : dots.get(1));
    }

    private static List<String> parts(
            ParserRuleContext first, @Nullable DotIdentifierContext second, @Nullable DotIdentifierContext third) {
        if (second == null) {
            return List.of(Names.of(first));
        }
        var two = Names.of(second.identifier());
        return third == null
                ? List.of(Names.of(first), two)
                : List.of(Names.of(first), two, Names.of(third.identifier()));
    }

    /** A name with the database that it is qualified by, if any. */
    public record Qualified(@Nullable String database, String name) {}
}
