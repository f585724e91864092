package io.talosgateway.rest.topic;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What the owner of a topic says of itself, for people and for bills. Decides nothing.
 *
 * @param chargeId billing id
 * @param ownerName display name
 */
public record TopicOwnerInfo(
        @Nullable String chargeId, @Nullable String ownerName) {

    public static final TopicOwnerInfo NONE = new TopicOwnerInfo(null, null);

    /** Of characters, each. */
    public static final int MAX_LENGTH = 256;

    /** @throws IllegalArgumentException with a sentence for the user if one of them is too long, or has control characters */
    public TopicOwnerInfo requireValid() {
        boolean valid = Stream.ofNullable(chargeId).allMatch(TopicOwnerInfo::isValid)
                && Stream.ofNullable(ownerName).allMatch(TopicOwnerInfo::isValid);
        if (!valid) {
            throw new IllegalArgumentException("The billing id and the name of a topic's owner have at most "
                    + MAX_LENGTH + " characters each, and no control characters.");
        }
        return this;
    }

    private static boolean isValid(String text) {
        return text.length() <= MAX_LENGTH && text.chars().noneMatch(Character::isISOControl);
    }
}
