package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.scan.LiteralKind;
import dev.shardwright.router.planner.scan.Scan;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** What literals are worth, as MySQL reads them. */
final class LiteralValues {
    private final Scan scan;
    private final StatementContext context;

    LiteralValues(Scan scan, StatementContext context) {
        this.scan = scan;
        this.context = context;
    }

    SqlValue of(Operand.Literal literal) {
        var start = scan.start(literal.index());
        var end = scan.end(literal.index());
        var kind = scan.kind(literal.index());
        if (literal.negative() && kind != LiteralKind.INTEGER) {
            // -'5' and -0x35 are numbers, and not the strings after the sign.
            return new SqlValue.Other("double");
        }
        return switch (kind) {
            case INTEGER -> integer(start, end, literal.negative());
            case DECIMAL -> new SqlValue.Other("decimal");
            case FLOAT -> new SqlValue.Other("double");
            case STRING -> string(unescaped(start, end), literal.introducer());
            case NATIONAL -> new SqlValue.Text(unescaped(start + 1, end), "utf8mb3");
            case HEX -> hexadecimal(hex(ascii(start, end)), literal.introducer());
            case BIT -> new SqlValue.Other("bit");
        };
    }

    private SqlValue integer(int start, int end, boolean negative) {
        var value = new BigInteger(ascii(start, end));
        if (value.bitLength() > 64) {
            return new SqlValue.Other("decimal");
        }
        return new SqlValue.Int(negative ? value.negate() : value);
    }

    private String ascii(int start, int end) {
        return new String(scan.statement(), start, end - start, StandardCharsets.US_ASCII);
    }

    private SqlValue string(byte[] bytes, @Nullable String introducer) {
        return introducer == null ? context.text(bytes) : introduced(bytes, introducer);
    }

    private static SqlValue hexadecimal(byte[] bytes, @Nullable String introducer) {
        return introducer == null ? new SqlValue.Binary(bytes) : introduced(bytes, introducer);
    }

    /** MySQL fills a text up where its bytes are no whole characters of a wide set. */
    private static SqlValue introduced(byte[] bytes, String introducer) {
        return switch (introducer) {
            case "_binary" -> new SqlValue.Binary(bytes);
            case "_ucs2", "_utf16", "_utf16le", "_utf32" -> new SqlValue.Other("text in " + introducer.substring(1));
            default -> new SqlValue.Text(bytes, introducer.substring(1));
        };
    }

    /** x'41', X'41' and 0x41; an odd number of digits has a zero before it. */
    private static byte[] hex(String text) {
        var digits = text.startsWith("0x") ? text.substring(2) : text.substring(2, text.length() - 1);
        return HexFormat.of().parseHex(digits.length() % 2 == 0 ? digits : "0" + digits);
    }

    private byte[] unescaped(int start, int end) {
        var in = scan.statement();
        var quote = in[start];
        var out = new ByteArrayOutputStream(end - start);
        for (var i = start + 1; i < end - 1; i++) {
            if (in[i] == quote) {
                i++;
                out.write(quote);
            } else if (in[i] == '\\' && !context.modes().noBackslashEscapes()) {
                i++;
                escaped(in[i], out);
            } else {
                out.write(in[i]);
            }
        }
        return out.toByteArray();
    }

    private static void escaped(byte c, ByteArrayOutputStream out) {
        switch (c) {
            case '0' -> out.write(0);
            case 'b' -> out.write('\b');
            case 'n' -> out.write('\n');
            case 'r' -> out.write('\r');
            case 't' -> out.write('\t');
            case 'Z' -> out.write(0x1a);
            case '%', '_' -> {
                out.write('\\');
                out.write(c);
            }
            default -> out.write(c);
        }
    }
}
