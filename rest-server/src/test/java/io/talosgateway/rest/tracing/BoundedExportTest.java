package io.talosgateway.rest.tracing;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.talosgateway.rest.Await;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

final class BoundedExportTest {

    private final Logger logger = (Logger) LoggerFactory.getLogger(BoundedExport.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final SteppedTime time = new SteppedTime();
    private final Collector collector = new Collector();
    private final BoundedExport export = new BoundedExport(collector, "http://collector", time);
    private final SdkTracerProvider provider =
            SdkTracerProvider.builder().addSpanProcessor(export).build();

    /** Answers as the test wants: nothing, that it took a batch, or that it did not. */
    private static final class Collector implements SpanExporter {

        private volatile CompletableResultCode answer = CompletableResultCode.ofSuccess();
        private final AtomicInteger spans = new AtomicInteger();

        @Override
        public CompletableResultCode export(Collection<SpanData> batch) {
            spans.addAndGet(batch.size());
            return answer;
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.setAdditive(false);
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        collector.answer.succeed();
        provider.shutdown().join(10, TimeUnit.SECONDS);
        logger.detachAppender(lines);
        logger.setAdditive(true);
        logger.setLevel(null);
    }

    private void spans(int number) {
        for (int span = 0; span < number; span++) {
            provider.get("test").spanBuilder("span").startSpan().end();
        }
    }

    /** Again and again: the SDK ignores who asks while it ends an earlier flush. */
    private void flushUntil(BooleanSupplier reached) {
        Await.until(() -> {
            provider.forceFlush().join(10, TimeUnit.SECONDS);
            return reached.getAsBoolean();
        });
    }

    private List<String> texts() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void spansOfACollectorThatDoesNotAnswerAreBoundedAndTheOthersCounted() {
        collector.answer = new CompletableResultCode();

        spans(BoundedExport.MAX_WAITING + 11);

        assertThat(export.lost()).isEqualTo(11);

        collector.answer.succeed();
        flushUntil(() -> collector.spans.get() == BoundedExport.MAX_WAITING);
        spans(3);
        flushUntil(() -> collector.spans.get() == BoundedExport.MAX_WAITING + 3);
        assertThat(export.lost()).isEqualTo(11);
    }

    @Test
    void failuresAreCountedAndSaidOnceAMinute() {
        collector.answer = CompletableResultCode.ofFailure();
        for (int batch = 0; batch < 3; batch++) {
            int lostThen = 2 * batch + 2;
            spans(2);
            flushUntil(() -> export.lost() == lostThen);
        }
        assertThat(texts())
                .singleElement()
                .asString()
                // The first batch may be of one or of two.
                .matches("The collector of traces at http://collector does not take spans; [12] are lost so far");

        time.advance(Duration.ofMinutes(1));
        spans(1);
        flushUntil(() -> export.lost() == 7);
        assertThat(texts()).hasSize(2).last().asString().endsWith("7 are lost so far");

        collector.answer = CompletableResultCode.ofSuccess();
        spans(1);
        flushUntil(() -> texts().size() == 3);
        assertThat(texts())
                .last()
                .asString()
                .isEqualTo("The collector of traces at http://collector takes spans again; 7 are lost");
        assertThat(export.lost()).isEqualTo(7);
    }
}
