package io.talosgateway.client;

import org.jspecify.annotations.Nullable;

/**
 * Why the gateway did not do something.
 *
 * @param status HTTP status
 * @param code stable, such as {@code topic-not-found}
 * @param detail a sentence with the reason and the next step
 * @param retry whether trying again may help
 * @param logEndOffset where the partition ends, if a put expected another offset
 * @param fencingToken of the partition, if a request has another one; null if it has none
 */
public record Problem(
        int status,
        @Nullable String code,
        @Nullable String title,
        @Nullable String detail,
        @Nullable Retry retry,
        @Nullable Long logEndOffset,
        @Nullable String fencingToken) {}
