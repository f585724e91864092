package io.talosgateway.rest.tracing;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.talosgateway.rest.stages.StageInterval;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.rest.trace.TraceParent;
import io.talosgateway.rest.trace.Tracing;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** The span of a request, and those below it. What happens inside this host becomes spans at the end, with the times noted before. */
final class OtelReceived implements Tracing.Received {

    private final Tracer tracer;
    private final Span span;
    private final TraceContext received;
    private final TraceContext context;
    private final NanoClock clock;
    /** Makes nanoseconds since 1970 of those of the clock. */
    private final long toEpochNanos;

    private final AtomicReference<@Nullable Span> forward = new AtomicReference<>();

    OtelReceived(Tracer tracer, Span span, TraceContext received, NanoClock clock, long toEpochNanos) {
        this.tracer = tracer;
        this.span = span;
        this.received = received;
        this.clock = clock;
        this.toEpochNanos = toEpochNanos;
        // Who does not record a request says so to the next host, which would choose anew.
        this.context = at(span);
    }

    private TraceContext at(Span position) {
        SpanContext at = position.getSpanContext();
        return new TraceContext(
                received.requestId(),
                new TraceParent(
                        at.getTraceId(), at.getSpanId(), at.getTraceFlags().asByte() & 0xff),
                received.state());
    }

    @Override
    public TraceContext context() {
        return context;
    }

    @Override
    public boolean isRecorded() {
        return span.isRecording();
    }

    @Override
    public TraceContext forward(String host) {
        if (!isRecorded()) {
            return context;
        }
        returned();
        Span handedOver = below("forward", SpanKind.CLIENT, clock.nanoTime());
        handedOver.setAttribute("talos.host", host);
        forward.set(handedOver);
        return at(handedOver);
    }

    @Override
    public void returned() {
        Span handedOver = forward.getAndSet(null);
        if (handedOver != null) {
            handedOver.end(clock.nanoTime() + toEpochNanos, TimeUnit.NANOSECONDS);
        }
    }

    private Span below(String name, SpanKind kind, long fromNanos) {
        return tracer.spanBuilder(name)
                .setParent(Context.root().with(span))
                .setSpanKind(kind)
                .setStartTimestamp(fromNanos + toEpochNanos, TimeUnit.NANOSECONDS)
                .startSpan();
    }

    private void setAttribute(String name, Object value) {
        if (value instanceof Integer number) {
            span.setAttribute(name, number);
        } else {
            span.setAttribute(name, value.toString());
        }
    }

    @Override
    public void end(Tracing.End end) {
        if (isRecorded()) {
            returned();
            for (StageInterval interval : end.intervals()) {
                switch (interval.kind()) {
                    case QUEUE, LANE, SYNC, READ ->
                        below(interval.kind().text(), SpanKind.INTERNAL, interval.fromNanos())
                                .end(interval.toNanos() + toEpochNanos, TimeUnit.NANOSECONDS);
                    case RECEIVE, FORWARD, ANSWER -> {
                        // The span of the request itself, or one that has ended before.
                    }
                }
            }
            end.attributes().forEach(this::setAttribute);
            if (end.failed()) {
                span.setStatus(StatusCode.ERROR);
            }
        }
        span.end(end.atNanos() + toEpochNanos, TimeUnit.NANOSECONDS);
    }
}
