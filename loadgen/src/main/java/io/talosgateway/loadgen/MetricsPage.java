package io.talosgateway.loadgen;

import java.util.List;
import java.util.OptionalDouble;

/** A gateway's metrics at one moment, as its {@code /metrics} shows them. */
record MetricsPage(List<String> lines) {

    static MetricsPage parse(String text) {
        return new MetricsPage(
                text.lines().filter(line -> !line.startsWith("#")).toList());
    }

    /**
     * The sum over the series of a metric.
     *
     * @param labels only of series that have these, such as {@code class="put"}
     * @return empty if there is no such series
     */
    OptionalDouble value(String metric, String... labels) {
        double sum = 0;
        boolean found = false;
        for (String line : lines) {
            if (isOf(metric, line) && List.of(labels).stream().allMatch(line::contains)) {
                sum += Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
                found = true;
            }
        }
        return found ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    private static boolean isOf(String metric, String line) {
        return line.startsWith(metric)
                && line.length() > metric.length()
                && (line.charAt(metric.length()) == '{' || line.charAt(metric.length()) == ' ');
    }
}
