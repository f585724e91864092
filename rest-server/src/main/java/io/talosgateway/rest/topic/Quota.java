package io.talosgateway.rest.topic;

import java.util.Optional;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Space and rate quota of a topic. Null means no limit.
 *
 * @param spaceBytes bytes that may be stored
 * @param putRequestsPerSecond put requests per second
 * @param getRequestsPerSecond get requests per second
 * @param putBytesPerSecond bytes put per second
 * @param getBytesPerSecond bytes got per second
 */
public record Quota(
        @Nullable Long spaceBytes,
        @Nullable Integer putRequestsPerSecond,
        @Nullable Integer getRequestsPerSecond,
        @Nullable Long putBytesPerSecond,
        @Nullable Long getBytesPerSecond) {

    public static final Quota UNLIMITED = new Quota(null, null, null, null, null);

    public boolean isUnlimited() {
        return spaceBytes == null
                && putRequestsPerSecond == null
                && getRequestsPerSecond == null
                && putBytesPerSecond == null
                && getBytesPerSecond == null;
    }

    /** @throws IllegalArgumentException with a sentence for the user if a limit is not positive */
    public Quota requireValid() {
        Stream.of(
                        Limit.of("space", spaceBytes),
                        Limit.of("put requests", putRequestsPerSecond),
                        Limit.of("get requests", getRequestsPerSecond),
                        Limit.of("put bytes", putBytesPerSecond),
                        Limit.of("get bytes", getBytesPerSecond))
                .flatMap(Optional::stream)
                .filter(limit -> limit.value < 1)
                .findFirst()
                .ifPresent(wrong -> {
                    throw new IllegalArgumentException(
                            "The quota of %s must be at least 1, not %d; leave it out for no limit."
                                    .formatted(wrong.name, wrong.value));
                });
        return this;
    }

    private record Limit(String name, long value) {

        static Optional<Limit> of(String name, @Nullable Number value) {
            return Optional.ofNullable(value).map(limit -> new Limit(name, limit.longValue()));
        }
    }
}
