package io.talosgateway.loadgen.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.measure.Kind;

/**
 * Runs side by side. The first is what the others are compared with.
 *
 * @param names of the runs
 * @param rows what was measured, of each run
 * @param differences what makes the runs different loads; with any, ratios may say nothing
 */
record Comparison(List<String> names, List<Row> rows, List<Difference> differences) {

    /**
     * A measure of all runs.
     *
     * @param values one of each run; empty if it does not have it
     */
    record Row(Kind kind, Measure measure, List<OptionalDouble> values) {

        /** The value of a run by the value of the first; empty without either, or if the first is 0. */
        OptionalDouble ratio(int run) {
            OptionalDouble first = values.get(0);
            OptionalDouble other = values.get(run);
            return first.isEmpty() || other.isEmpty() || first.getAsDouble() == 0
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(other.getAsDouble() / first.getAsDouble());
        }
    }

    /**
     * Something the runs were told differently.
     *
     * @param values one of each run
     */
    record Difference(String name, List<String> values) {}

    static Comparison of(List<StoredRun> runs) {
        List<Row> rows = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            for (Measure measure : Measure.values()) {
                Row row = new Row(
                        kind,
                        measure,
                        runs.stream().map(run -> measure.of(run.report(), kind)).toList());
                if (row.values().stream().anyMatch(OptionalDouble::isPresent)) {
                    rows.add(row);
                }
            }
        }
        return new Comparison(runs.stream().map(StoredRun::name).toList(), rows, differences(runs));
    }

    private static List<Difference> differences(List<StoredRun> runs) {
        List<Difference> differences = new ArrayList<>();
        add(differences, runs, "endpoint", Report::endpoint);
        add(differences, runs, "partitions", Report::partitions);
        add(differences, runs, "put threads", Report::putThreads);
        add(differences, runs, "get threads", Report::getThreads);
        add(
                differences,
                runs,
                "processes",
                run -> run.load() == null ? 1 : run.load().processes());
        add(differences, runs, "I/O threads", Comparison::ioThreads);
        add(differences, runs, "puts a second", run -> offered(run, Kind.PUT));
        add(differences, runs, "gets a second", run -> offered(run, Kind.GET));
        add(differences, runs, "bytes of a message", Report::sizeBytes);
        add(differences, runs, "content", Report::content);
        add(differences, runs, "TLS", run -> run.load() != null && run.load().tls());
        add(
                differences,
                runs,
                "new connections",
                run -> run.load() != null && run.load().newConnections());
        add(differences, runs, "idempotency keys", Report::idempotencyKeys);
        add(differences, runs, "seconds", run -> Math.round(run.seconds()));
        add(differences, runs, "seconds of warm-up", run -> Math.round(run.warmupSeconds()));
        add(differences, runs, "interrupted", Report::interrupted);
        add(differences, runs, "host", Comparison::host);
        return differences;
    }

    private static String offered(Report report, Kind kind) {
        Double rate = report.rate(kind);
        Double perThread = report.ratePerThread(kind);
        if (rate == null) {
            return perThread == null ? "closed loop" : Numbers.tick(perThread) + " per thread";
        }
        return Numbers.tick(rate);
    }

    private static String ioThreads(Report report) {
        LoadShape load = report.load();
        return load == null || load.ioThreads() == null ? "one for each client" : Integer.toString(load.ioThreads());
    }

    private static String host(Report report) {
        Environment host = report.environment();
        return host == null ? "unknown" : "%s, %d processors".formatted(host.host(), host.processors());
    }

    private static void add(
            List<Difference> differences, List<StoredRun> runs, String name, Function<Report, Object> value) {
        List<String> values = runs.stream()
                .map(run -> Objects.toString(value.apply(run.report())))
                .toList();
        if (values.stream().distinct().count() > 1) {
            differences.add(new Difference(name, values));
        }
    }
}
