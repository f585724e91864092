package io.talosgateway.loadgen.experiment.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.chart.Chart;
import io.talosgateway.loadgen.chart.Chart.Axis;
import io.talosgateway.loadgen.chart.Series;

/** A measure over what was varied, both on logarithmic scales; the lines are those of the trials. Stateless. */
final class SweepCharts {

    private SweepCharts() {}

    /** Empty if no trial has the measure. */
    static List<Chart> of(Results results, Metric metric, String title, String xLabel) {
        Map<String, List<Series.Point>> lines = new LinkedHashMap<>();
        for (Trial trial : results.trials()) {
            double y = results.median(trial, metric);
            if (Double.isFinite(trial.x()) && Double.isFinite(y) && y > 0) {
                lines.computeIfAbsent(trial.line(), any -> new ArrayList<>()).add(new Series.Point(trial.x(), y));
            }
        }
        if (lines.isEmpty()) {
            return List.of();
        }
        List<Series> series = new ArrayList<>();
        lines.forEach((name, points) -> series.add(new Series(name, PercentileCharts.style(series.size()), points)));
        return List.of(new Chart(title, xLabel, Axis.LOG, Axis.LOG, series, List.of()));
    }
}
