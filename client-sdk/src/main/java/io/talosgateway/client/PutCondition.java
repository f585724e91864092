package io.talosgateway.client;

import org.jspecify.annotations.Nullable;

/**
 * When a put is stored. One that does not hold stores nothing.
 *
 * @param expectedOffset the offset that the first message must get: where the partition ends; null if any will do. The put fails
 *     with the code {@code unexpected-offset} otherwise, and {@link Problem#logEndOffset()} says where it ends
 * @param fencingToken the token that the partition must have; null if any will do. The put fails with the code {@code fenced}
 *     otherwise: another writer has taken the partition, and {@link Problem#fencingToken()} is its token
 */
public record PutCondition(
        @Nullable Long expectedOffset, @Nullable String fencingToken) {

    /** Nobody else has put any message since the partition ended there. */
    public static PutCondition endsAt(long offset) {
        return new PutCondition(offset, null);
    }

    /** No other writer has taken the partition since this one did. */
    public static PutCondition hasToken(String fencingToken) {
        return new PutCondition(null, fencingToken);
    }

    String query() {
        String offset = expectedOffset == null ? "" : "&expected-offset=" + expectedOffset;
        return fencingToken == null ? offset : offset + "&fencing-token=" + GatewayClient.encoded(fencingToken);
    }
}
