package io.talosgateway.rest.quota;

import java.time.Duration;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicQuota;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** What is asked of a topic at this host, compared with one quota. Safe for use by any thread; does not block. */
final class TopicUse {

    /** Messages are deleted by age, every now and then. */
    private static final Duration SPACE_WAIT = Duration.ofMinutes(1);

    private final TopicQuota quota;
    private final @Nullable RateLimit putRequests;
    private final @Nullable RateLimit putBytes;
    private final @Nullable RateLimit getRequests;
    private final @Nullable RateLimit getBytes;
    private final @Nullable SpaceUse space;

    TopicUse(TopicQuota quota, NanoClock clock) {
        this.quota = quota;
        putRequests = limit(quota.putRequestsPerSecond(), clock);
        putBytes = limit(quota.putBytesPerSecond(), clock);
        getRequests = limit(quota.getRequestsPerSecond(), clock);
        getBytes = limit(quota.getBytesPerSecond(), clock);
        Long mostBytes = quota.spaceBytes();
        space = mostBytes == null ? null : new SpaceUse(mostBytes, clock);
    }

    private static @Nullable RateLimit limit(@Nullable Number perSecond, NanoClock clock) {
        return perSecond == null ? null : new RateLimit(perSecond.longValue(), clock);
    }

    TopicQuota quota() {
        return quota;
    }

    /** Null if the space is not limited. */
    @Nullable
    SpaceUse space() {
        return space;
    }

    /** @throws GatewayException {@code THROTTLED}, {@code QUOTA_EXCEEDED}; nothing was taken then */
    void put(long bytes) {
        requireOne(putRequests, "put requests");
        requireOne(putBytes, "put bytes");
        if (space != null && !space.admit(bytes)) {
            throw GatewayException.exceedsQuota(
                    ErrorCode.QUOTA_EXCEEDED,
                    "The topic has no room for %d bytes more: its space quota is %d bytes. Wait until old messages are deleted, or ask for a larger quota."
                            .formatted(bytes, space.mostBytes()),
                    SPACE_WAIT);
        }
        take(putRequests, 1);
        take(putBytes, bytes);
    }

    /** @throws GatewayException {@code THROTTLED}; nothing was taken then */
    void get() {
        requireOne(getRequests, "get requests");
        requireOne(getBytes, "get bytes");
        take(getRequests, 1);
    }

    /** A get has given so many bytes, which was not known before. */
    void got(long bytes) {
        take(getBytes, bytes);
    }

    /** What was used here since this was last asked. */
    UsedQuota untold(TopicId topic) {
        return new UsedQuota(topic, untold(putRequests), untold(putBytes), untold(getRequests), untold(getBytes));
    }

    private static long untold(@Nullable RateLimit limit) {
        return limit == null ? 0 : limit.untold();
    }

    /** What another host has let its clients do. */
    void usedElsewhere(UsedQuota used) {
        takenElsewhere(putRequests, used.putRequests());
        takenElsewhere(putBytes, used.putBytes());
        takenElsewhere(getRequests, used.getRequests());
        takenElsewhere(getBytes, used.getBytes());
    }

    private static void takenElsewhere(@Nullable RateLimit limit, long amount) {
        if (limit != null) {
            limit.takenElsewhere(amount);
        }
    }

    private static void requireOne(@Nullable RateLimit limit, String what) {
        long waitNanos = limit == null ? 0 : limit.waitNanos();
        if (limit != null && waitNanos > 0) {
            throw GatewayException.exceedsQuota(
                    ErrorCode.THROTTLED,
                    "The topic's quota of %d %s per second is used up; wait before the next request."
                            .formatted(limit.perSecond(), what),
                    Duration.ofNanos(waitNanos));
        }
    }

    private static void take(@Nullable RateLimit limit, long amount) {
        if (limit != null) {
            limit.take(amount);
        }
    }
}
