package io.talosgateway.loadgen.report;

import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import io.talosgateway.loadgen.measure.Better;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.ServerSecond;
import io.talosgateway.loadgen.measure.Summary;
import org.jspecify.annotations.Nullable;

/** What runs are compared by, from the most interesting on. */
enum Measure {
    RATE("per s", Better.MORE, 1),
    MEGABYTES("MB/s", Better.MORE, 1),
    MEAN("mean ms", Better.LESS, 3),
    P50("P50 ms", Better.LESS, 3),
    P75("P75 ms", Better.LESS, 3),
    P90("P90 ms", Better.LESS, 3),
    P99("P99 ms", Better.LESS, 3),
    P999("P99.9 ms", Better.LESS, 3),
    MAX("max ms", Better.LESS, 3),
    ERRORS("errors", Better.LESS, 0),
    QUEUE("queue ms", Better.LESS, 3),
    STORAGE("storage ms", Better.LESS, 3),
    STORAGE_SHARE("storage %", Better.NEITHER, 1),
    GC_MS("gateway GC ms", Better.LESS, 0);

    private static final double BYTES_PER_MB = 1e6;

    private final String text;
    private final Better better;
    private final int decimals;

    Measure(String text, Better better, int decimals) {
        this.text = text;
        this.better = better;
        this.decimals = decimals;
    }

    String text() {
        return text;
    }

    Better better() {
        return better;
    }

    int decimals() {
        return decimals;
    }

    /** Empty if the run does not have it. */
    OptionalDouble of(Report report, Kind kind) {
        Summary summary = report.of(kind);
        if (summary == null) {
            return OptionalDouble.empty();
        }
        return switch (this) {
            case RATE -> OptionalDouble.of(summary.perSecond());
            case MEGABYTES -> OptionalDouble.of(summary.bytesPerSecond() / BYTES_PER_MB);
            case MEAN -> timed(summary, Summary::meanMs);
            case P50 -> timed(summary, Summary::p50Ms);
            case P75 -> timed(summary, Summary::p75Ms);
            case P90 -> timed(summary, Summary::p90Ms);
            case P99 -> timed(summary, Summary::p99Ms);
            case P999 -> timed(summary, Summary::p999Ms);
            case MAX -> timed(summary, Summary::maxMs);
            case ERRORS -> OptionalDouble.of((double) summary.errors());
            case QUEUE -> server(report, kind == Kind.PUT ? ServerSecond::putQueueMs : ServerSecond::getQueueMs);
            case STORAGE -> ofPuts(kind, server(report, ServerSecond::storageMs));
            case STORAGE_SHARE -> percent(ofPuts(kind, server(report, ServerSecond::storageShare)));
            case GC_MS -> ofPuts(kind, gc(report));
        };
    }

    /** No answer, no latency; and older results lack some. */
    private static OptionalDouble timed(Summary summary, ToDoubleFunction<Summary> latency) {
        double ms = latency.applyAsDouble(summary);
        return summary.count() == 0 || ms == 0 ? OptionalDouble.empty() : OptionalDouble.of(ms);
    }

    /** The mean over the seconds. */
    private static OptionalDouble server(Report report, Function<ServerSecond, @Nullable Double> value) {
        return report.server().stream()
                .map(value)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .average();
    }

    /** All together. */
    private static OptionalDouble gc(Report report) {
        return report.server().isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(report.server().stream()
                        .map(ServerSecond::gcMs)
                        .filter(Objects::nonNull)
                        .mapToDouble(Double::doubleValue)
                        .sum());
    }

    /** What the gateway has only of puts. */
    private static OptionalDouble ofPuts(Kind kind, OptionalDouble value) {
        return kind == Kind.PUT ? value : OptionalDouble.empty();
    }

    private static OptionalDouble percent(OptionalDouble share) {
        return share.isEmpty() ? share : OptionalDouble.of(100 * share.getAsDouble());
    }
}
