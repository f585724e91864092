package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** What was let in, compared with one quota: that of a topic, or that of an owner. Safe for use by any thread; does not block. */
final class QuotaUse {

    /** Messages are deleted by age, every now and then. */
    private static final Duration SPACE_WAIT = Duration.ofMinutes(1);

    private final String title;
    private final Quota quota;
    private final Supplier<List<TopicPartition>> partitions;
    private final @Nullable RateLimit putRequests;
    private final @Nullable RateLimit putBytes;
    private final @Nullable RateLimit getRequests;
    private final @Nullable RateLimit getBytes;
    private final @Nullable SpaceUse space;

    /**
     * @param title how sentences for users begin
     * @param partitions whose space counts, as they are now
     * @param askEvery how often they are asked at most
     */
    QuotaUse(String title, Quota quota, Supplier<List<TopicPartition>> partitions, Duration askEvery, NanoClock clock) {
        this.title = title;
        this.quota = quota;
        this.partitions = partitions;
        putRequests = limit(quota.putRequestsPerSecond(), clock);
        putBytes = limit(quota.putBytesPerSecond(), clock);
        getRequests = limit(quota.getRequestsPerSecond(), clock);
        getBytes = limit(quota.getBytesPerSecond(), clock);
        Long mostBytes = quota.spaceBytes();
        space = mostBytes == null ? null : new SpaceUse(mostBytes, askEvery, clock);
    }

    private static @Nullable RateLimit limit(@Nullable Number perSecond, NanoClock clock) {
        return perSecond == null ? null : new RateLimit(perSecond.longValue(), clock);
    }

    Quota quota() {
        return quota;
    }

    /** Null if the space is not limited. */
    @Nullable
    SpaceUse space() {
        return space;
    }

    /** Those whose space counts. */
    List<TopicPartition> partitions() {
        return partitions.get();
    }

    /** @throws GatewayException {@code THROTTLED} if the rates let no put in now */
    void requirePut() {
        requireOne(putRequests, "put requests");
        requireOne(putBytes, "put bytes");
    }

    /** @throws GatewayException {@code QUOTA_EXCEEDED} if there is no room; else it is taken */
    void takeSpace(long bytes) {
        if (space != null && !space.admit(bytes)) {
            throw GatewayException.exceedsQuota(
                    ErrorCode.QUOTA_EXCEEDED,
                    "%s of %d bytes has no room for %d bytes more. Wait until old messages are deleted, or ask for a larger quota."
                            .formatted(title, space.mostBytes(), bytes),
                    SPACE_WAIT);
        }
    }

    /** Gives back what was taken last, and is not used. */
    void giveSpaceBack(long bytes) {
        if (space != null) {
            space.giveBack(bytes);
        }
    }

    /** @throws GatewayException {@code THROTTLED} if the rates let no get in now */
    void requireGet() {
        requireOne(getRequests, "get requests");
        requireOne(getBytes, "get bytes");
    }

    /** Takes from the rates of puts, here or at another host. */
    void takePuts(long requests, long bytes) {
        take(putRequests, requests);
        take(putBytes, bytes);
    }

    /** Takes from the rates of gets, here or at another host. */
    void takeGets(long requests, long bytes) {
        take(getRequests, requests);
        take(getBytes, bytes);
    }

    private void requireOne(@Nullable RateLimit limit, String what) {
        long waitNanos = limit == null ? 0 : limit.waitNanos();
        if (limit != null && waitNanos > 0) {
            throw GatewayException.exceedsQuota(
                    ErrorCode.THROTTLED,
                    "%s of %d %s per second is used up; wait before the next request."
                            .formatted(title, limit.perSecond(), what),
                    Duration.ofNanos(waitNanos));
        }
    }

    private static void take(@Nullable RateLimit limit, long amount) {
        if (limit != null && amount > 0) {
            limit.take(amount);
        }
    }
}
