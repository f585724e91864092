package io.talosgateway.rest.topic;

import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Identity of one incarnation of a topic: 128 random bits, 32 hex digits as text. A topic that is deleted and created
 * again has another one, so that nothing of the old topic is taken for the new.
 */
public record TopicId(long mostSignificant, long leastSignificant) implements Comparable<TopicId> {

    public static TopicId random(RandomGenerator random) {
        return new TopicId(random.nextLong(), random.nextLong());
    }

    /** @throws IllegalArgumentException if the text is not 32 hex digits */
    public static TopicId parse(String text) {
        if (text.length() != 32) {
            throw new IllegalArgumentException("a topic id has 32 hex digits: " + text);
        }
        return new TopicId(HexFormat.fromHexDigitsToLong(text, 0, 16), HexFormat.fromHexDigitsToLong(text, 16, 32));
    }

    @Override
    public int compareTo(TopicId other) {
        int byFirst = Long.compareUnsigned(mostSignificant, other.mostSignificant);
        return byFirst != 0 ? byFirst : Long.compareUnsigned(leastSignificant, other.leastSignificant);
    }

    @Override
    public String toString() {
        return HexFormat.of().toHexDigits(mostSignificant) + HexFormat.of().toHexDigits(leastSignificant);
    }
}
