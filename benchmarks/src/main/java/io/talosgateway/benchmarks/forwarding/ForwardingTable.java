package io.talosgateway.benchmarks.forwarding;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The result as a table: medians of the turns, with least and most. */
final class ForwardingTable {

    private ForwardingTable() {}

    static String of(List<String> names, List<PutTurn.Result> direct, List<PutTurn.Result> forwarded) {
        StringBuilder table =
                new StringBuilder("| | %s | %s | ratio |%n|---|---|---|---|%n".formatted(names.get(0), names.get(1)));
        row(table, "puts per second", direct, forwarded, PutTurn.Result::putsPerSecond, "%.0f");
        row(table, "mean, ms", direct, forwarded, PutTurn.Result::meanMs, "%.2f");
        row(table, "P50, ms", direct, forwarded, result -> result.ms(50), "%.2f");
        row(table, "P99, ms", direct, forwarded, result -> result.ms(99), "%.2f");
        row(table, "P99.9, ms", direct, forwarded, result -> result.ms(99.9), "%.2f");
        row(table, "not stored", direct, forwarded, PutTurn.Result::failures, "%.0f");
        return table.toString();
    }

    private static void row(
            StringBuilder table,
            String name,
            List<PutTurn.Result> direct,
            List<PutTurn.Result> forwarded,
            ToDoubleFunction<PutTurn.Result> value,
            String format) {
        double[] left = direct.stream().mapToDouble(value).sorted().toArray();
        double[] right = forwarded.stream().mapToDouble(value).sorted().toArray();
        double ratio = median(right) / median(left);
        table.append(("| %s | " + format + " (" + format + "–" + format + ") | " + format + " (" + format + "–" + format
                        + ") | %s |%n")
                .formatted(
                        name,
                        median(left),
                        left[0],
                        left[left.length - 1],
                        median(right),
                        right[0],
                        right[right.length - 1],
                        Double.isFinite(ratio) ? String.format(Locale.ROOT, "%.2f", ratio) : "-"));
    }

    private static double median(double[] sorted) {
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
