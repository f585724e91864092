package io.talosgateway.dashboards;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** {@code docs/metrics.md}, made from what gateways tell Prometheus. */
public final class MetricsDocument {

    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE) (\\S+) (.*)");
    /** What the parts of histograms are called. */
    private static final List<String> PARTS = List.of("", "_bucket", "_count", "_sum");

    private MetricsDocument() {}

    private static final class Metric {
        private String type = "";
        private String help = "";
        private final Set<String> labels = new TreeSet<>();
        private boolean hasSamples;
    }

    /** @param pages of hosts that have used everything for which there are metrics */
    public static String of(String pages) {
        Map<String, Metric> metrics = new TreeMap<>();
        for (String line : pages.lines().toList()) {
            Matcher comment = COMMENT.matcher(line);
            // The client library tells of each counter when it was made.
            if (comment.matches() && !comment.group(2).endsWith("_created")) {
                Metric metric = metrics.computeIfAbsent(comment.group(2), absent -> new Metric());
                if (comment.group(1).equals("HELP")) {
                    metric.help = comment.group(3);
                } else {
                    metric.type = comment.group(3);
                }
            }
        }
        for (Queries.Sample sample : Queries.samples(pages)) {
            for (String part : PARTS) {
                Metric metric = sample.name().endsWith(part)
                        ? metrics.get(sample.name().substring(0, sample.name().length() - part.length()))
                        : null;
                if (metric != null) {
                    metric.hasSamples = true;
                    metric.labels.addAll(sample.labels().keySet());
                }
            }
        }
        Set<String> unknown = metrics.entrySet().stream()
                .filter(metric -> !metric.getValue().hasSamples)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!unknown.isEmpty()) {
            throw new IllegalArgumentException("the labels of these are not known, as they have no series: " + unknown);
        }
        return text(metrics);
    }

    private static String text(Map<String, Metric> metrics) {
        return """
                # Metrics

                <!-- Written by DashboardsIT from the metrics of running gateways. Do not edit. -->

                `/metrics` of the operations port serves these metrics. Counters and histograms begin at 0 when the process starts.
                Histograms of times have buckets from 50 µs to 52 s. The buckets of puts and gets in `talos_request_seconds` are at most
                6.25 % wide, so that percentiles are at most that far off; all others are at most 50 % wide.

                Labels are bounded. `topic` and `owner` of quotas have at most 100 values, and groups at most 100 pairs of `group` and
                `topic`; all further ones share the value `other`. `host` is another host of the cluster.

                ## Gateway

                """ + table(metrics, true) + """

                ## Process and JVM

                """ + table(metrics, false);
    }

    private static String table(Map<String, Metric> metrics, boolean ours) {
        StringBuilder table = new StringBuilder("| name | type | unit | labels | meaning |\n|---|---|---|---|---|\n");
        metrics.forEach((name, metric) -> {
            if (name.startsWith("talos_") == ours) {
                Set<String> labels = new TreeSet<>(metric.labels);
                labels.remove("le");
                table.append("| `%s` | %s | %s | %s | %s |\n"
                        .formatted(
                                name,
                                metric.type,
                                unit(name),
                                labels.stream().map(label -> "`" + label + "`").collect(Collectors.joining(", ")),
                                metric.help.replace("|", "\\|")));
            }
        });
        return table.toString();
    }

    private static String unit(String name) {
        String withoutTotal = name.replaceAll("_total$", "");
        if (withoutTotal.endsWith("_seconds")) {
            return "s";
        }
        return withoutTotal.endsWith("_bytes") || withoutTotal.contains("_bytes_") ? "bytes" : "";
    }
}
