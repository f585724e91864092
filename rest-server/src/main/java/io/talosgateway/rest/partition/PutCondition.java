package io.talosgateway.rest.partition;

import org.jspecify.annotations.Nullable;

/**
 * When a put is stored. One that does not hold stores nothing.
 *
 * @param expectedOffset the offset that its first message must get; null if any will do
 * @param fencingToken the token that the partition must have; null if any will do
 */
public record PutCondition(
        @Nullable Long expectedOffset, @Nullable String fencingToken) {

    /** Always. */
    public static final PutCondition NONE = new PutCondition(null, null);

    public static PutCondition of(@Nullable Long expectedOffset, @Nullable String fencingToken) {
        return expectedOffset == null && fencingToken == null ? NONE : new PutCondition(expectedOffset, fencingToken);
    }

    public static PutCondition expecting(@Nullable Long offset) {
        return of(offset, null);
    }
}
