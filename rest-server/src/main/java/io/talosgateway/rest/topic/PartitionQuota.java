package io.talosgateway.rest.topic;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * How many partitions the topics of an owner may have, as applied for or granted.
 *
 * @param total of partitions
 * @param reason that the applicant gave
 * @param ownerName display name
 */
public record PartitionQuota(
        int total, @Nullable String reason, @Nullable String ownerName) {

    /** Of characters, each. */
    public static final int MAX_TEXT_LENGTH = 256;

    /** @throws IllegalArgumentException with a sentence for the user if the total is not positive, or a text is not valid */
    public PartitionQuota requireValid() {
        if (total < 1) {
            throw new IllegalArgumentException("A quota of partitions is at least 1, not " + total + ".");
        }
        boolean valid = Stream.of(Stream.ofNullable(reason), Stream.ofNullable(ownerName))
                .flatMap(text -> text)
                .allMatch(PartitionQuota::isValid);
        if (!valid) {
            throw new IllegalArgumentException("The reason and the name in an application have at most "
                    + MAX_TEXT_LENGTH + " characters each, and no control characters.");
        }
        return this;
    }

    private static boolean isValid(String text) {
        return text.length() <= MAX_TEXT_LENGTH && text.chars().noneMatch(Character::isISOControl);
    }
}
