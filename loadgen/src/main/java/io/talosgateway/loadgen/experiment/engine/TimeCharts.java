package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Chart.Axis;
import io.talosgateway.loadgen.chart.Mark;
import io.talosgateway.loadgen.chart.Series;

/** What the client of a run saw, second by second. Stateless. */
final class TimeCharts {

    private static final String X_LABEL = "seconds since the producer began";

    private TimeCharts() {}

    /**
     * A field of all trials under a load, a line for each variant; of the last round.
     *
     * @param title with {@code %s} for the load
     */
    static List<Chart> ofLoads(Results results, String title, String field, boolean latency) {
        List<Chart> charts = new ArrayList<>();
        for (String load : results.loads()) {
            List<Series> series = new ArrayList<>();
            for (Trial trial : results.under(load)) {
                results.last(trial)
                        .ifPresent(run -> series.add(new Series(
                                trial.variant(), PercentileCharts.style(series.size()), points(run, field))));
            }
            if (!series.isEmpty()) {
                charts.add(chart(title.formatted(load), series, List.of(), latency));
            }
        }
        return charts;
    }

    /** Fields of one run by the names of their lines, with the pauses of its gateway's garbage collector. */
    static Chart ofRun(Measurement run, String title, Map<String, String> fields, boolean latency) {
        List<Series> series = new ArrayList<>();
        fields.forEach((name, field) ->
                series.add(new Series(name, PercentileCharts.style(series.size()), points(run, field))));
        return chart(title, series, pauses(run), latency);
    }

    private static List<Series.Point> points(Measurement run, String field) {
        List<Series.Point> points = new ArrayList<>();
        for (JsonNode second : client(run).path("seconds")) {
            points.add(new Series.Point(
                    second.path("atSeconds").asDouble(), second.path(field).asDouble()));
        }
        return points;
    }

    private static JsonNode client(Measurement run) {
        return run.client() == null ? MissingNode.getInstance() : run.client();
    }

    private static List<Mark> pauses(Measurement run) {
        double fromMs = client(run).path("countsFromMs").asDouble();
        double seconds = lastSecond(run);
        return run.pauses().stream()
                .filter(pause -> pause.endMs() >= fromMs && pause.startMs() <= fromMs + 1000 * seconds)
                .map(pause -> new Mark(
                        pause.isFull() ? "full collection" : "GC pause",
                        pause.isFull() ? "error" : "servergc",
                        Mark.Shape.BAND,
                        Math.max(0, (pause.startMs() - fromMs) / 1000),
                        (pause.endMs() - fromMs) / 1000))
                .toList();
    }

    private static double lastSecond(Measurement run) {
        JsonNode seconds = client(run).path("seconds");
        return seconds.isEmpty()
                ? 0
                : seconds.get(seconds.size() - 1).path("atSeconds").asDouble();
    }

    private static Chart chart(String title, List<Series> series, List<Mark> marks, boolean latency) {
        return new Chart(title, X_LABEL, Axis.LINEAR, latency ? Axis.LOG : Axis.LINEAR, series, marks);
    }
}
