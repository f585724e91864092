package io.talosgateway.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Makes an input out of valid ones, as a seed says. For one thread. */
final class Mutations {

    static final int MAX_BYTES = 128 * 1024;

    private static final int MOST_AT_ONCE = 6;

    /** One input in so many has something repeated until it is large. */
    private static final int LARGE_ONE_IN = 64;

    private static final long[] INTERESTING = {
        0,
        1,
        2,
        -1,
        -2,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        0x7fffff,
        0x1000000,
        0x1fffffff,
        0x20000000,
        Integer.MAX_VALUE - 8L,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        0xffffffffL,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private static final String STRUCTURE = "{}[]\",:\\-+.eE09nft \n\r\t\u0000/=*#%";

    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "[]",
            "{}",
            "[null]",
            "[[]]",
            "\"\"",
            "\"\\ud800\"",
            "\"=\"",
            "0.5",
            "-1",
            "1e999999999",
            "9223372036854775808",
            "NaN");

    private final List<byte[]> seeds;

    /** @param seeds one at least */
    Mutations(List<byte[]> seeds) {
        this.seeds = seeds;
    }

    byte[] mutated(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = pick(random).clone();
        if (random.nextInt(LARGE_ONE_IN) == 0) {
            bytes = repeat(bytes, random, MAX_BYTES);
        }
        int count = random.nextInt(MOST_AT_ONCE + 1);
        for (int number = 0; number < count; number++) {
            bytes = mutate(bytes, random);
        }
        return bytes.length > MAX_BYTES ? Arrays.copyOf(bytes, MAX_BYTES) : bytes;
    }

    private byte[] pick(SplittableRandom random) {
        return seeds.get(random.nextInt(seeds.size()));
    }

    private byte[] mutate(byte[] bytes, SplittableRandom random) {
        if (bytes.length == 0) {
            return insert(bytes, 0, randomBytes(random));
        }
        int at = random.nextInt(bytes.length);
        switch (random.nextInt(13)) {
            case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 2 -> bytes[at] = (byte) random.nextInt(256);
            case 3 -> bytes[at] = (byte) STRUCTURE.charAt(random.nextInt(STRUCTURE.length()));
            case 4 -> number(bytes, at, random);
            case 5 -> {
                return insert(cut(bytes, at, random.nextInt(1, 4)), at, varint(interesting(random)));
            }
            case 6 -> {
                return cut(bytes, at, length(bytes, at, random));
            }
            case 7 -> {
                int from = random.nextInt(bytes.length);
                return insert(bytes, at, Arrays.copyOfRange(bytes, from, from + length(bytes, from, random)));
            }
            case 8 -> {
                byte[] other = pick(random);
                int from = other.length == 0 ? 0 : random.nextInt(other.length);
                return insert(
                        Arrays.copyOf(bytes, at),
                        at,
                        Arrays.copyOfRange(other, Math.min(from, other.length), other.length));
            }
            case 9 -> {
                return repeat(bytes, random, 2048);
            }
            case 10 -> {
                return Arrays.copyOf(bytes, at);
            }
            case 11 -> {
                return jsonValue(bytes, at, random);
            }
            default -> {
                return insert(bytes, at, randomBytes(random));
            }
        }
        return bytes;
    }

    /** Short parts as often as long ones. */
    private static int length(byte[] bytes, int from, SplittableRandom random) {
        int most = bytes.length - from;
        return random.nextInt(Math.min(most, 1 << random.nextInt(1, 12))) + 1;
    }

    /** Puts another JSON value where there seems to be one. */
    private static byte[] jsonValue(byte[] bytes, int at, SplittableRandom random) {
        int from = at;
        while (from < bytes.length && ":[,".indexOf(bytes[from]) < 0) {
            from++;
        }
        int end = Math.min(bytes.length, from + 1);
        while (end < bytes.length && ",]}".indexOf(bytes[end]) < 0) {
            end++;
        }
        String value = VALUES.get(random.nextInt(VALUES.size()));
        int start = Math.min(bytes.length, from + 1);
        return insert(cut(bytes, start, end - start), start, value.getBytes(StandardCharsets.UTF_8));
    }

    private static long interesting(SplittableRandom random) {
        long value = INTERESTING[random.nextInt(INTERESTING.length)];
        return random.nextInt(4) == 0 ? value + random.nextInt(-4, 5) : value;
    }

    private static void number(byte[] bytes, int at, SplittableRandom random) {
        int width = 1 << random.nextInt(1, 4);
        boolean lowFirst = random.nextInt(4) == 0;
        long value = interesting(random);
        for (int index = 0; index < width && at + index < bytes.length; index++) {
            int shift = 8 * (lowFirst ? index : width - 1 - index);
            bytes[at + index] = (byte) (value >> shift);
        }
    }

    private static byte[] varint(long value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) ((rest & 0x7f) | 0x80));
            rest >>>= 7;
        }
        out.write((int) rest);
        return out.toByteArray();
    }

    private static byte[] randomBytes(SplittableRandom random) {
        byte[] bytes = new byte[random.nextInt(1, 16)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A part many times, where it is: nesting, overlapping, lists without end. */
    private static byte[] repeat(byte[] bytes, SplittableRandom random, int most) {
        if (bytes.length == 0) {
            return bytes;
        }
        int from = random.nextInt(bytes.length);
        byte[] part = Arrays.copyOfRange(bytes, from, from + length(bytes, from, random));
        int times = Math.max(1, random.nextInt(most) / part.length);
        byte[] repeated = new byte[part.length * times];
        for (int time = 0; time < times; time++) {
            System.arraycopy(part, 0, repeated, time * part.length, part.length);
        }
        return insert(bytes, from, repeated);
    }

    private static byte[] insert(byte[] bytes, int at, byte[] more) {
        byte[] all = new byte[bytes.length + more.length];
        System.arraycopy(bytes, 0, all, 0, at);
        System.arraycopy(more, 0, all, at, more.length);
        System.arraycopy(bytes, at, all, at + more.length, bytes.length - at);
        return all;
    }

    private static byte[] cut(byte[] bytes, int at, int length) {
        int end = Math.min(bytes.length, at + length);
        byte[] rest = new byte[bytes.length - (end - at)];
        System.arraycopy(bytes, 0, rest, 0, at);
        System.arraycopy(bytes, end, rest, at, bytes.length - end);
        return rest;
    }
}
