package io.talosgateway.rest.auth;

import org.jspecify.annotations.Nullable;

/**
 * What may be changed of a key.
 *
 * @param scope what it may be used for, at most
 * @param disabled whether it is refused
 * @param expiresAtMs epoch milliseconds from which on it is refused; null for never
 * @param description for people
 */
public record KeySettings(
        KeyScope scope,
        boolean disabled,
        @Nullable Long expiresAtMs,
        @Nullable String description) {

    public static final KeySettings DEFAULT = new KeySettings(KeyScope.ALL, false, null, null);

    private static final int MAX_DESCRIPTION = 256;

    /** @throws IllegalArgumentException with a sentence for the user if the description is not valid */
    public KeySettings {
        if (description != null
                && (description.length() > MAX_DESCRIPTION
                        || description.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException("The description of a key has at most " + MAX_DESCRIPTION
                    + " characters, and no control characters such as line breaks.");
        }
    }

    public KeySettings withDisabled(boolean newDisabled) {
        return new KeySettings(scope, newDisabled, expiresAtMs, description);
    }

    public KeySettings withExpiry(@Nullable Long newExpiresAtMs) {
        return new KeySettings(scope, disabled, newExpiresAtMs, description);
    }
}
