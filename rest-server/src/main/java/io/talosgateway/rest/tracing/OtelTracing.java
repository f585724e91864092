package io.talosgateway.rest.tracing;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.rest.trace.TraceParent;
import io.talosgateway.rest.trace.Tracing;
import io.talosgateway.scheduler.NanoClock;

/**
 * Sends spans to a collector with OTLP over HTTP. Of requests that come with a position in a trace, those are recorded that their caller
 * records; of others a part.
 */
public final class OtelTracing implements Tracing, AutoCloseable {

    private static final String SERVICE = "talos-gateway";
    private static final String TRACES_PATH = "/v1/traces";
    private static final Duration EXPORT_TIMEOUT = Duration.ofSeconds(5);
    private static final long CLOSE_SECONDS = 5;

    private final NanoClock clock;
    private final InstantSource wallClock;
    private final BoundedExport export;
    private final SdkTracerProvider provider;
    private final Tracer tracer;

    /**
     * Where spans go.
     *
     * @param endpoint of the collector, such as {@code http://127.0.0.1:4318}
     * @param sampleRatio part of the requests that are recorded if their caller does not say, 0 to 1
     */
    public record Config(URI endpoint, double sampleRatio) {

        public Config {
            String scheme = endpoint.getScheme();
            if (endpoint.getHost() == null || (!"http".equals(scheme) && !"https".equals(scheme))) {
                throw new IllegalArgumentException(
                        "tracing.otlp-endpoint must be a URL such as http://127.0.0.1:4318, not '" + endpoint + "'");
            }
            if (!(sampleRatio >= 0 && sampleRatio <= 1)) {
                throw new IllegalArgumentException("tracing.sample-ratio must be 0 to 1, not " + sampleRatio);
            }
        }

        /** With the path for traces, unless another one is named. */
        String url() {
            String path = endpoint.getPath();
            return path == null || path.isEmpty() || path.equals("/")
                    ? endpoint.resolve(TRACES_PATH).toString()
                    : endpoint.toString();
        }
    }

    /**
     * Starts the threads of the SDK. That the collector can be reached is not looked at.
     *
     * @param host name of this host
     */
    public OtelTracing(Config config, String host, NanoClock clock, InstantSource wallClock) {
        this.clock = clock;
        this.wallClock = wallClock;
        this.export = new BoundedExport(
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(config.url())
                        .setTimeout(EXPORT_TIMEOUT)
                        .build(),
                config.url(),
                clock);
        this.provider = SdkTracerProvider.builder()
                .setResource(Resource.create(Attributes.builder()
                        .put("service.name", SERVICE)
                        .put("service.instance.id", host)
                        .build()))
                .setSampler(Sampler.parentBased(Sampler.traceIdRatioBased(config.sampleRatio())))
                .addSpanProcessor(export)
                .build();
        this.tracer = provider.get(SERVICE);
    }

    @Override
    public Received receive(TraceContext context, long startedAtNanos) {
        Instant now = wallClock.instant();
        long epochNanos =
                TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano() - (clock.nanoTime() - startedAtNanos);
        Span span = tracer.spanBuilder("receive")
                .setParent(parent(context))
                .setSpanKind(SpanKind.SERVER)
                .setStartTimestamp(epochNanos, TimeUnit.NANOSECONDS)
                .startSpan();
        return new OtelReceived(tracer, span, context, clock, epochNanos - startedAtNanos);
    }

    private static Context parent(TraceContext context) {
        TraceParent parent = context.parent();
        if (parent == null) {
            return Context.root();
        }
        return Context.root()
                .with(Span.wrap(SpanContext.createFromRemoteParent(
                        parent.traceId(),
                        parent.spanId(),
                        TraceFlags.fromByte((byte) parent.flags()),
                        TraceState.getDefault())));
    }

    /** Spans that the collector did not get: there were too many, or it did not take them. */
    public long lost() {
        return export.lost();
    }

    /** Sends what waits, for a bounded time. */
    @Override
    public void close() {
        provider.shutdown().join(CLOSE_SECONDS, TimeUnit.SECONDS);
    }
}
