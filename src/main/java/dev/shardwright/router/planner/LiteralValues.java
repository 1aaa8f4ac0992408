package dev.shardwright.router.planner;

import dev.shardwright.router.planner.Plan.Operand;
import dev.shardwright.router.planner.scan.Scan;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

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
        return switch (scan.kind(literal.index())) {
            case INTEGER -> integer(start, end, literal.negative());
            case DECIMAL -> new SqlValue.Other("decimal");
            case FLOAT -> new SqlValue.Other("double");
            case STRING -> string(start, end, literal);
            case NATIONAL -> new SqlValue.Text(unescaped(start + 1, end), "utf8mb3");
            case HEX -> new SqlValue.Binary(hex(ascii(start, end)));
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

    private SqlValue string(int start, int end, Operand.Literal literal) {
        var bytes = unescaped(start, end);
        var introducer = literal.introducer();
        if (introducer == null) {
            return new SqlValue.Text(bytes, context.charset());
        }
        return introducer.equals("_binary")
                ? new SqlValue.Binary(bytes)
                : new SqlValue.Text(bytes, introducer.substring(1));
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
