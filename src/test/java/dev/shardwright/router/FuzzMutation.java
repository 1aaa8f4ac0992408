package dev.shardwright.router;

import dev.shardwright.mysql.wire.PacketBuilder;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Makes wrong packets of right ones: in another order, with other lengths and numbers, and with other bytes. */
final class FuzzMutation {
    private static final int MOST_CHANGES = 4;
    private static final int COPIED = 20;

    private final Random random;

    FuzzMutation(Random random) {
        this.random = random;
    }

    /** @param packets at least one */
    byte[] changed(List<byte[]> packets) {
        var changed = new ArrayList<>(packets);
        boolean whole = random.nextBoolean();
        if (whole) {
            changePacket(changed);
        }
        var all = new ByteArrayOutputStream();
        changed.forEach(all::writeBytes);
        return whole && random.nextBoolean() ? all.toByteArray() : changed(all.toByteArray());
    }

    private void changePacket(List<byte[]> packets) {
        int at = random.nextInt(packets.size());
        var packet = packets.get(at).clone();
        switch (random.nextInt(7)) {
            case 0 -> Collections.swap(packets, at, random.nextInt(packets.size()));
            case 1 -> packets.remove(at);
            case 2 -> packets.add(random.nextInt(packets.size()), packet);
            case 3 -> packets.set(at, withLength(packet, length(packet.length)));
            case 4 -> {
                packet[3] = (byte) random.nextInt();
                packets.set(at, packet);
            }
            case 5 -> {
                int left = PacketBuilder.HEADER + random.nextInt(packet.length - PacketBuilder.HEADER + 1);
                packets.set(at, withLength(Arrays.copyOf(packet, left), left - PacketBuilder.HEADER));
            }
            default -> {
                var longer = Arrays.copyOf(packet, packet.length + 1 + random.nextInt(300));
                for (int i = packet.length; i < longer.length; i++) {
                    longer[i] = (byte) random.nextInt();
                }
                packets.set(at, withLength(longer, longer.length - PacketBuilder.HEADER));
            }
        }
    }

    private int length(int packet) {
        return switch (random.nextInt(5)) {
            case 0 -> 0;
            case 1 -> PacketBuilder.FULL;
            case 2 -> PacketBuilder.FULL - random.nextInt(1 << 20);
            case 3 -> Math.max(0, packet - PacketBuilder.HEADER - 1 - random.nextInt(5));
            default -> packet - PacketBuilder.HEADER + 1 + random.nextInt(5);
        };
    }

    private static byte[] withLength(byte[] packet, int length) {
        packet[0] = (byte) length;
        packet[1] = (byte) (length >> 8);
        packet[2] = (byte) (length >> 16);
        return packet;
    }

    byte[] changed(byte[] packets) {
        var bytes = new ArrayList<Byte>();
        for (byte b : packets) {
            bytes.add(b);
        }
        int changes = 1 + random.nextInt(MOST_CHANGES);
        for (int i = 0; i < changes && !bytes.isEmpty(); i++) {
            change(bytes);
        }
        var result = new byte[bytes.size()];
        for (int i = 0; i < result.length; i++) {
            result[i] = bytes.get(i);
        }
        return result;
    }

    private void change(List<Byte> bytes) {
        int at = random.nextInt(bytes.size());
        switch (random.nextInt(6)) {
            case 0 -> bytes.set(at, (byte) random.nextInt());
            case 1 -> bytes.set(at, (byte) (bytes.get(at) ^ 1 << random.nextInt(8)));
            case 2 -> bytes.remove(at);
            case 3 -> bytes.add(at, (byte) random.nextInt());
            case 4 -> bytes.subList(at, bytes.size()).clear();
            default -> bytes.addAll(at, List.copyOf(bytes.subList(at, Math.min(bytes.size(), at + COPIED))));
        }
    }
}
