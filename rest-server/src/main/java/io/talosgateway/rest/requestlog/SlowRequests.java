package io.talosgateway.rest.requestlog;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.talosgateway.rest.stages.StageInterval;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.trace.TraceContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Logs requests that took long, with where the time went: a few in a second, so that a gateway whose storage stands still does not
 * fill the disk. Safe for use by any thread.
 */
public final class SlowRequests {

    /** Logs none. */
    public static final SlowRequests OFF = new SlowRequests(Duration.ZERO);

    private static final Logger log = LoggerFactory.getLogger(SlowRequests.class);

    static final int LINES_PER_SECOND = 10;

    private final long thresholdNanos;
    private final PerSecond lines = new PerSecond(LINES_PER_SECOND);

    /** @param threshold from which on a request is slow; zero for never */
    public SlowRequests(Duration threshold) {
        this.thresholdNanos = threshold.toNanos();
    }

    public boolean isOn() {
        return thresholdNanos > 0;
    }

    /**
     * A request that has ended.
     *
     * @param stages that it has passed; null if nobody knows
     * @param reads whether it is a get
     */
    public record Ended(
            TraceContext context,
            long fromNanos,
            long toNanos,
            @Nullable Stages stages,
            boolean reads) {}

    /**
     * Whether a request is logged, if there is room for a line.
     *
     * @param onPurposeNanos how long it may have waited because its client, or the gateway, wanted it to
     */
    public boolean isSlow(long tookNanos, long onPurposeNanos) {
        return isOn() && tookNanos - onPurposeNanos >= thresholdNanos;
    }

    /**
     * Logs a request that is slow.
     *
     * @param what it asked for, who asked and how it was answered
     */
    public void log(Ended request, Supplier<String> what) {
        long heldBack = lines.next(TimeUnit.NANOSECONDS.toSeconds(request.toNanos));
        if (heldBack < 0) {
            return;
        }
        TraceContext context = request.context;
        String traceId = context.traceId();
        LoggingEventBuilder line = log.atWarn().addKeyValue("requestId", context.requestId());
        if (traceId != null) {
            line = line.addKeyValue("traceId", traceId);
        }
        line.log(
                "A request took {} ms{}: {}, request {}{}{}",
                ms(request.toNanos - request.fromNanos),
                intervals(request),
                what.get(),
                context.requestId(),
                traceId == null ? "" : ", trace " + traceId,
                heldBack == 0 ? "" : "; " + heldBack + " more slow requests were not logged");
    }

    private static String intervals(Ended request) {
        Stages stages = request.stages;
        List<StageInterval> intervals =
                stages == null ? List.of() : StageInterval.of(stages, request.reads, request.toNanos);
        return intervals.isEmpty()
                ? ""
                : intervals.stream()
                        .map(interval -> interval.kind().text() + " " + ms(interval.toNanos() - interval.fromNanos()))
                        .collect(Collectors.joining(", ", " (", ")"));
    }

    private static long ms(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
