package io.talosgateway.benchmarks.selection;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import io.talosgateway.loadgen.measure.Statistics;

/** Tables in Markdown: medians over the rounds. Stateless. */
final class SelectionTables {

    private SelectionTables() {}

    /** How latency and context switches depend on the number of threads. */
    static String byThreads(List<Selection> runs) {
        StringBuilder text = new StringBuilder("""
                | threads | hash: mean ms | P50 | P99 | in the queue | switches/s | least-loaded: mean ms | P50 | P99 | in the queue | switches/s |
                |---|---|---|---|---|---|---|---|---|---|---|
                """);
        for (int threads : runs.stream().mapToInt(Selection::threads).distinct().toArray()) {
            text.append("| ").append(threads);
            for (Policy policy : Policy.values()) {
                List<Selection> same = of(runs, policy, threads);
                text.append(format(
                        " | %.2f | %.2f | %.1f | %.2f | %,.0f",
                        median(same, Selection::meanMs),
                        median(same, Selection::p50Ms),
                        median(same, Selection::p99Ms),
                        median(same, Selection::waitMeanMs),
                        median(same, Selection::switchesPerSecond)));
            }
            text.append(" |\n");
        }
        return text.toString();
    }

    /** Which threads of a pool run the tasks, and how many tasks are there already. */
    static String distribution(List<Selection> runs, int threads) {
        StringBuilder text =
                new StringBuilder("| share of the tasks, %d threads | hash | least-loaded |%n|---|---|---|%n"
                        .formatted(threads)
                        .replace("\r\n", "\n"));
        for (int first = 0; first < threads; first = first == 0 ? 8 : first * 2) {
            int from = first;
            int to = Math.min(threads, first == 0 ? 8 : first * 2);
            row(
                    text,
                    "on threads %d–%d".formatted(from, to - 1),
                    runs,
                    threads,
                    run -> share(run.tasksByThread(), from, to));
        }
        row(
                text,
                "on the busiest thread",
                runs,
                threads,
                run -> Collections.max(run.tasksByThread()) / (double) sum(run.tasksByThread()));
        for (int depth = 0; depth < SelectionRun.DEPTHS; depth++) {
            int tasks = depth;
            boolean last = depth == SelectionRun.DEPTHS - 1;
            row(
                    text,
                    "that found %d%s at their thread".formatted(depth, last ? " or more" : ""),
                    runs,
                    threads,
                    run -> share(run.tasksByDepth(), tasks, tasks + 1));
        }
        return text.toString();
    }

    private static void row(
            StringBuilder text, String what, List<Selection> runs, int threads, ToDoubleFunction<Selection> share) {
        text.append("| ").append(what);
        for (Policy policy : Policy.values()) {
            text.append(format(" | %.1f %%", 100 * median(of(runs, policy, threads), share)));
        }
        text.append(" |\n");
    }

    private static double share(List<Long> counts, int from, int to) {
        return sum(counts.subList(from, to)) / (double) Math.max(1, sum(counts));
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    private static List<Selection> of(List<Selection> runs, Policy policy, int threads) {
        return runs.stream()
                .filter(run -> run.policy() == policy && run.threads() == threads)
                .toList();
    }

    private static double median(List<Selection> runs, ToDoubleFunction<Selection> value) {
        return Statistics.median(runs, value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
