package io.talosgateway.rest.tracing;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;

import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadWriteSpan;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands spans to the SDK's batches, as many as there is room for, and counts those that do not reach the collector, for whatever reason.
 * Safe for use by any thread; does not block.
 */
final class BoundedExport implements SpanProcessor {

    private static final Logger log = LoggerFactory.getLogger(BoundedExport.class);
    /** Writes to standard error, again and again; a field, as loggers that nobody holds lose their level. */
    private static final java.util.logging.Logger OF_THE_SDK = java.util.logging.Logger.getLogger("io.opentelemetry");

    static final int MAX_WAITING = 4_096;
    private static final Duration DELAY = Duration.ofSeconds(1);
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final String url;
    private final NanoClock clock;
    private final SpanProcessor batches;
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicBoolean failing = new AtomicBoolean();
    private volatile Deadline silentUntil;

    /** @param url of the collector, for the log */
    BoundedExport(SpanExporter exporter, String url, NanoClock clock) {
        OF_THE_SDK.setLevel(Level.OFF);
        this.url = url;
        this.clock = clock;
        this.silentUntil = Deadline.at(clock.nanoTime());
        this.batches = BatchSpanProcessor.builder(new Counting(exporter))
                .setMaxQueueSize(MAX_WAITING)
                .setScheduleDelay(DELAY)
                .build();
    }

    long lost() {
        return lost.get();
    }

    @Override
    public void onStart(Context parent, ReadWriteSpan span) {}

    @Override
    public boolean isStartRequired() {
        return false;
    }

    @Override
    public void onEnd(ReadableSpan span) {
        if (!span.getSpanContext().isSampled()) {
            return;
        }
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            lost.incrementAndGet();
        } else {
            batches.onEnd(span);
        }
    }

    @Override
    public boolean isEndRequired() {
        return true;
    }

    @Override
    public CompletableResultCode shutdown() {
        return batches.shutdown();
    }

    @Override
    public CompletableResultCode forceFlush() {
        return batches.forceFlush();
    }

    private void exported(int spans, boolean taken) {
        waiting.addAndGet(-spans);
        if (taken) {
            if (failing.compareAndSet(true, false)) {
                log.info("The collector of traces at {} takes spans again; {} are lost", url, lost.get());
            }
            return;
        }
        lost.addAndGet(spans);
        failing.set(true);
        synchronized (this) {
            if (!silentUntil.hasPassed(clock.nanoTime())) {
                return;
            }
            silentUntil = Deadline.after(clock, SILENCE);
        }
        log.warn("The collector of traces at {} does not take spans; {} are lost so far", url, lost.get());
    }

    /** Tells what becomes of each batch. */
    private final class Counting implements SpanExporter {

        private final SpanExporter exporter;

        Counting(SpanExporter exporter) {
            this.exporter = exporter;
        }

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            int number = spans.size();
            CompletableResultCode result = exporter.export(spans);
            result.whenComplete(() -> exported(number, result.isSuccess()));
            return result;
        }

        @Override
        public CompletableResultCode flush() {
            return exporter.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return exporter.shutdown();
        }
    }
}
