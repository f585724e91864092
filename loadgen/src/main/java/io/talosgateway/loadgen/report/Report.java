package io.talosgateway.loadgen.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonValue;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Millis;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Timeline;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Traffic;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run.
 *
 * @param put null without producers
 * @param get null without readers
 * @param timeline the time that counts, second by second
 * @param server what the gateway said of itself, {@code atSeconds} and for so many {@code seconds}; empty if it was not asked
 * @param environment where the load generator ran
 */
public record Report(
        LoadPlan plan,
        RunFacts facts,
        @Nullable Summary put,
        @Nullable Summary get,
        List<Second> timeline,
        List<Map<String, Double>> server,
        Environment environment) {

    /** The format that is written. */
    private static final int FORMAT = 1;

    private static final double NANOS = 1e9;

    /**
     * Puts everything together.
     *
     * @param server what the gateway said of itself
     */
    public static Report of(LoadPlan plan, RunFacts facts, Timeline timeline, List<Map<String, Double>> server) {
        return new Report(
                plan,
                facts,
                summary(plan.puts(), facts, timeline, Kind.PUT),
                summary(plan.gets(), facts, timeline, Kind.GET),
                timeline.seconds(),
                server,
                Environment.here());
    }

    private static @Nullable Summary summary(Traffic traffic, RunFacts facts, Timeline timeline, Kind kind) {
        return traffic.clients() == 0 ? null : Summary.of(timeline.total(kind), facts.seconds());
    }

    /** As it is written to a file ({@code docs/loadgen-results.md}). Fields are only ever added; those without a value are left out. */
    @JsonValue
    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("endpoint", plan.target().endpoint().toString());
        fields.put("topic", topics());
        fields.put("partitions", plan.target().partitions());
        fields.put("putThreads", threads(Kind.PUT));
        fields.put("getThreads", threads(Kind.GET));
        putIfAny(fields, "putRate", plan.puts().rate());
        fields.put("sizeBytes", meanBytes());
        fields.put("idempotencyKeys", plan.content().idempotencyKeys());
        fields.put("seed", plan.content().seed());
        fields.put("warmupSeconds", facts.warmupSeconds());
        fields.put("seconds", facts.seconds());
        fields.put("interrupted", facts.interrupted());
        putIfAny(fields, "failure", facts.failure());
        fields.put("cpuMicrosPerRequest", cpuMicrosPerRequest());
        putIfAny(fields, "put", put);
        putIfAny(fields, "get", get);
        fields.put("format", FORMAT);
        fields.put("startedAt", facts.startedAt());
        fields.put("environment", environment);
        fields.put("timeline", timeline);
        fields.put("gcPauses", facts.gcPauses());
        fields.put("server", server);
        fields.put("load", load());
        fields.put("generator", generator());
        return fields;
    }

    private Map<String, Object> load() {
        Content content = plan.content();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("topics", plan.target().topics());
        putIfAny(fields, "getRate", plan.gets().rate());
        putIfAny(fields, "ioThreads", plan.ioThreads());
        fields.put("format", content.format().text());
        fields.put("batch", content.batch());
        fields.put("compression", content.compression().text());
        fields.put("sizes", content.sizes().text());
        fields.put("tls", plan.target().endpoint().tls() != null);
        fields.put("newConnections", plan.target().newConnections());
        return fields;
    }

    private Map<String, Object> generator() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cpuSeconds", Millis.rounded(facts.cpuNanos() / NANOS));
        fields.put("cpuCores", cpuCores());
        return fields;
    }

    private static void putIfAny(Map<String, Object> fields, String name, @Nullable Object value) {
        if (value != null) {
            fields.put(name, value);
        }
    }

    String topics() {
        return String.join(",", plan.target().topics());
    }

    int meanBytes() {
        return (int) Math.round(plan.content().sizes().mean());
    }

    @Nullable
    Summary of(Kind kind) {
        return switch (kind) {
            case PUT -> put;
            case GET -> get;
        };
    }

    int threads(Kind kind) {
        return switch (kind) {
            case PUT -> plan.puts().clients();
            case GET -> plan.gets().clients();
        };
    }

    /** Requests that were answered without an error, in the window. */
    public long answered() {
        return (put == null ? 0 : put.count()) + (get == null ? 0 : get.count());
    }

    /** CPU time that the load generator itself took for a request of the window. */
    double cpuMicrosPerRequest() {
        return answered() == 0 ? 0 : Math.round(facts.cpuNanos() / 10.0 / answered()) / 100.0;
    }

    /** CPU time that the load generator itself took, for each second. */
    double cpuCores() {
        return facts.seconds() <= 0 ? 0 : Millis.rounded(facts.cpuNanos() / NANOS / facts.seconds());
    }
}
