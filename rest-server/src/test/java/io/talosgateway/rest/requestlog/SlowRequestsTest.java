package io.talosgateway.rest.requestlog;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.scheduler.SteppedTime;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

final class SlowRequestsTest {

    private static final TraceContext CONTEXT = TraceContext.of(
            "order-4711", List.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), List.of());

    private final Logger logger = (Logger) LoggerFactory.getLogger(SlowRequests.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SteppedTime time = new SteppedTime();
    private final SlowRequests slow = new SlowRequests(Duration.ofSeconds(1));

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.WARN);
        logger.setAdditive(false);
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private List<String> texts() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static long ms(long ms) {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    private void log(TraceContext context, long tookMs, @Nullable Stages stages) {
        long nowNanos = time.nanoTime();
        slow.log(
                new SlowRequests.Ended(context, nowNanos - ms(tookMs), nowNanos, stages, false),
                () -> "POST /p (put) from 127.0.0.1, ok");
    }

    @Test
    void requestIsSlowFromTheThresholdOn() {
        assertThat(slow.isSlow(ms(1_000) - 1, 0)).isFalse();
        assertThat(slow.isSlow(ms(1_000), 0)).isTrue();
    }

    @Test
    void waitingOnPurposeDoesNotCount() {
        assertThat(slow.isSlow(ms(30_999), ms(30_000))).isFalse();
        assertThat(slow.isSlow(ms(31_000), ms(30_000))).isTrue();
        assertThat(slow.isSlow(ms(500_000), Duration.ofDays(36_500).toNanos())).isFalse();
    }

    @Test
    void thresholdOfZeroIsNever() {
        assertThat(SlowRequests.OFF.isOn()).isFalse();
        assertThat(SlowRequests.OFF.isSlow(Long.MAX_VALUE, 0)).isFalse();
    }

    @Test
    void lineSaysWhereTheTimeWent() {
        time.advance(Duration.ofSeconds(10));
        long startNanos = time.nanoTime() - ms(1_520);
        Stages stages = new Stages(time);
        stages.stamp(Stage.RECEIVED, startNanos);
        stages.stamp(Stage.QUEUED, startNanos + ms(2));
        stages.stamp(Stage.STARTED, startNanos + ms(5));
        stages.stamp(Stage.WRITING, startNanos + ms(10));
        stages.stamp(Stage.WRITTEN, startNanos + ms(17));
        stages.stamp(Stage.SYNCED, startNanos + ms(1_507));

        log(CONTEXT, 1_520, stages);

        assertThat(texts())
                .containsExactly(
                        "A request took 1520 ms (receive 2, queue 3, lane 12, sync 1490, answer 13): POST /p (put)"
                                + " from 127.0.0.1, ok, request order-4711, trace 0af7651916cd43dd8448eb211c80319c");
        assertThat(lines.list.get(0).getKeyValuePairs().toString())
                .isEqualTo("[requestId=\"order-4711\", traceId=\"0af7651916cd43dd8448eb211c80319c\"]");
    }

    @Test
    void lineOfARequestWithoutStagesAndTraceIsShort() {
        log(new TraceContext("r", null, null), 1_000, null);

        assertThat(texts()).containsExactly("A request took 1000 ms: POST /p (put) from 127.0.0.1, ok, request r");
    }

    @Test
    void linesAreBoundedInASecondAndTheOthersCounted() {
        for (int request = 0; request < SlowRequests.LINES_PER_SECOND + 3; request++) {
            log(CONTEXT, 1_000, null);
        }
        assertThat(texts()).hasSize(SlowRequests.LINES_PER_SECOND);

        time.advance(Duration.ofSeconds(1));
        log(CONTEXT, 1_000, null);

        assertThat(texts().get(SlowRequests.LINES_PER_SECOND)).endsWith("; 3 more slow requests were not logged");
    }
}
