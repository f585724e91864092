package io.talosgateway.rest.auth;

import java.security.SecureRandom;

import org.jspecify.annotations.Nullable;

/**
 * A key to make.
 *
 * @param owner null for a principal named after the key
 * @param organization that the owner belongs to; null if to none
 */
public record NewKey(@Nullable String owner, @Nullable String organization, boolean admin, KeySettings settings) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final int ID_LENGTH = 16;
    private static final int SECRET_LENGTH = 40;
    private static final int MAX_NAME = 128;

    /** @throws IllegalArgumentException with a sentence for the user if a name is not valid */
    public NewKey {
        checkName("owner", owner);
        checkName("organization", organization);
    }

    private static void checkName(String what, @Nullable String name) {
        if (name != null
                && (name.isBlank() || name.length() > MAX_NAME || name.chars().anyMatch(Character::isISOControl))) {
            throw new IllegalArgumentException(
                    "The name of an %s has 1 to %d characters, and no control characters.".formatted(what, MAX_NAME));
        }
    }

    /** A key with a random id and secret. */
    public AccessKey make(long nowMs) {
        String id = "TG" + randomText(ID_LENGTH);
        return new AccessKey(id, newSecret(), owner == null ? id : owner, organization, admin, settings, null, nowMs);
    }

    /** A random secret. */
    public static String newSecret() {
        return randomText(SECRET_LENGTH);
    }

    private static String randomText(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int index = 0; index < length; index++) {
            text.append(ALPHABET.charAt(RANDOM.nextInt(ALPHABET.length())));
        }
        return text.toString();
    }
}
