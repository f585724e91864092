package io.talosgateway.loadgen.content;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Words in ASCII, which need no escape in JSON and compress about as well as people's texts do. For one thread.
 */
final class MessageText {

    private static final int WORDS = 2_000;
    private static final int LEAST_LETTERS = 3;
    private static final int MORE_LETTERS = 7;

    private final Random random;
    private final byte[][] words = new byte[WORDS][];

    MessageText(long seed) {
        random = new Random(seed);
        for (int number = 0; number < WORDS; number++) {
            byte[] word = new byte[LEAST_LETTERS + random.nextInt(MORE_LETTERS)];
            for (int index = 0; index < word.length - 1; index++) {
                word[index] = (byte) ('a' + random.nextInt('z' - 'a' + 1));
            }
            word[word.length - 1] = ' ';
            words[number] = word;
        }
    }

    /** Another text of so many bytes. */
    byte[] next(int bytes) {
        byte[] text = new byte[bytes];
        for (int length = 0; length < bytes; ) {
            byte[] word = words[random.nextInt(WORDS)];
            int taken = Math.min(word.length, bytes - length);
            System.arraycopy(word, 0, text, length, taken);
            length += taken;
        }
        return text;
    }

    static String string(byte[] text) {
        return new String(text, StandardCharsets.US_ASCII);
    }
}
