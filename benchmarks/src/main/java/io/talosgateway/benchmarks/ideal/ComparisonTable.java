package io.talosgateway.benchmarks.ideal;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleFunction;

import io.talosgateway.benchmarks.Statistics;
import io.talosgateway.benchmarks.ideal.Measurement.Variant;
import org.jspecify.annotations.Nullable;

/** Tables of what was measured, in Markdown: medians over the rounds. Stateless. */
final class ComparisonTable {

    private ComparisonTable() {}

    /** @param measurements at least one, in the order in which they were made */
    static String of(List<Measurement> measurements) {
        StringBuilder text = new StringBuilder();
        rates(text, measurements);
        List<Measurement> timed =
                measurements.stream().filter(each -> each.times() != null).toList();
        if (!timed.isEmpty()) {
            text.append('\n');
            times(text, timed);
        }
        return text.toString();
    }

    private static void rates(StringBuilder text, List<Measurement> measurements) {
        line(
                text,
                "| durability | variant | puts/s median (min–max) | mean ms | P99 ms | of the ideal (min–max) | CPU µs per put: "
                        + "server + HDFS + load | errors |");
        line(text, "|---|---|---|---|---|---|---|---|");
        for (String durability : durabilities(measurements)) {
            for (Variant variant : Variant.values()) {
                List<Measurement> runs = runs(measurements, durability, variant);
                if (!runs.isEmpty()) {
                    line(
                            text,
                            "| %s | %s | %,.0f (%,.0f–%,.0f) | %.2f | %.1f | %s | %.0f + %.0f + %.0f | %d |",
                            durability == null ? "none" : durability,
                            variant.text(),
                            Statistics.median(runs, Measurement::putsPerSecond),
                            min(runs, Measurement::putsPerSecond),
                            max(runs, Measurement::putsPerSecond),
                            Statistics.median(runs, Measurement::meanMs),
                            Statistics.median(runs, Measurement::p99Ms),
                            variant == Variant.GATEWAY
                                    ? ratio(runs, runs(measurements, durability, Variant.IDEAL))
                                    : "–",
                            Statistics.median(runs, Measurement::serverCpuMicros),
                            Statistics.median(runs, Measurement::hdfsCpuMicros),
                            Statistics.median(runs, Measurement::loadCpuMicros),
                            runs.stream().mapToLong(Measurement::errors).sum());
                }
            }
        }
    }

    private static Set<@Nullable String> durabilities(List<Measurement> measurements) {
        Set<@Nullable String> durabilities = new LinkedHashSet<>();
        measurements.forEach(each -> durabilities.add(each.durability()));
        return durabilities;
    }

    private static List<Measurement> runs(
            List<Measurement> measurements, @Nullable String durability, Variant variant) {
        return measurements.stream()
                .filter(each -> each.variant() == variant && Objects.equals(each.durability(), durability))
                .toList();
    }

    /** Of the runs of each round: they were made one after the other, when the machine was much the same. */
    private static String ratio(List<Measurement> gateway, List<Measurement> ideal) {
        List<Double> ratios = gateway.stream()
                .flatMap(run -> ideal.stream()
                        .filter(other -> other.round() == run.round())
                        .map(other -> run.putsPerSecond() / other.putsPerSecond()))
                .toList();
        return ratios.isEmpty()
                ? "–"
                : format(
                        "%.0f %% (%.0f–%.0f)",
                        100 * Statistics.median(ratios, Double::doubleValue),
                        100 * min(ratios, Double::doubleValue),
                        100 * max(ratios, Double::doubleValue));
    }

    private static void times(StringBuilder text, List<Measurement> timed) {
        line(
                text,
                "| durability | a put in the gateway, ms | waits for a worker | in the storage | of that: for its lane | write "
                        + "| sync | then for an answering thread | puts of a group | storage share in the gateway | of the "
                        + "client's latency |");
        line(text, "|---|---|---|---|---|---|---|---|---|---|---|");
        for (String durability : durabilities(timed)) {
            List<Measurement> runs = runs(timed, durability, Variant.GATEWAY);
            line(
                    text,
                    "| %s | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f | %.0f %% | %.0f %% |",
                    durability,
                    medianTime(runs, PutTimes::requestMs),
                    medianTime(runs, PutTimes::poolWaitMs),
                    medianTime(runs, PutTimes::storageMs),
                    medianTime(runs, PutTimes::laneWaitMs),
                    medianTime(runs, PutTimes::writeMs),
                    medianTime(runs, PutTimes::syncMs),
                    medianTime(runs, PutTimes::answerWaitMs),
                    medianTime(runs, PutTimes::groupPuts),
                    100 * medianTime(runs, PutTimes::storageShare),
                    100 * Statistics.median(runs, run -> of(run, PutTimes::storageMs) / run.meanMs()));
        }
    }

    private static double medianTime(List<Measurement> runs, ToDoubleFunction<PutTimes> time) {
        return Statistics.median(runs, run -> of(run, time));
    }

    private static double of(Measurement run, ToDoubleFunction<PutTimes> time) {
        return time.applyAsDouble(Objects.requireNonNull(run.times()));
    }

    private static <T> double min(List<T> items, ToDoubleFunction<T> value) {
        return items.stream().mapToDouble(value).min().orElse(0);
    }

    private static <T> double max(List<T> items, ToDoubleFunction<T> value) {
        return items.stream().mapToDouble(value).max().orElse(0);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }

    private static void line(StringBuilder text, String format, @Nullable Object... values) {
        text.append(values.length == 0 ? format : format(format, values)).append('\n');
    }
}
