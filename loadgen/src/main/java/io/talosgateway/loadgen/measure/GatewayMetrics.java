package io.talosgateway.loadgen.measure;

import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.core.type.TypeReference;
import io.talosgateway.loadgen.cli.YamlFile;

/**
 * What a gateway says of itself between two samples of its metrics: {@code experiments/gateway-metrics.yaml} in the jar has what, and how
 * it comes of the metrics. Stateless.
 */
public final class GatewayMetrics {

    /** How a value comes of a metric. */
    private enum How {
        /** Of a histogram, over what it counted in between. */
        MEAN,
        /** What a counter rose by. */
        RISE,
        PER_SECOND,
        PER_REQUEST,
        /** For each message that was put. */
        PER_PUT,
        /** For each message that was put or got. */
        PER_MESSAGE,
        /** At the second look. */
        LAST
    }

    /**
     * What something is made of.
     *
     * @param of the metric's name; all of its series together
     * @param label only of series that have this; empty for all
     * @param times what the value is multiplied by
     */
    private record Source(How how, String of, String label, double times) {}

    private static final Map<String, Source> SOURCES =
            YamlFile.MAPPER.convertValue(YamlFile.read("gateway-metrics"), new TypeReference<>() {});

    /**
     * How much there was in between.
     *
     * @param requests NaN if they are not known, like messages that were put, and all messages
     */
    public record Amount(double seconds, double requests, double put, double messages) {}

    private GatewayMetrics() {}

    /**
     * What happened from one look to the next.
     *
     * @return by name; without what is not known, or makes no sense without requests. A gateway that was started again in between says
     *     nothing
     */
    public static Map<String, Double> between(MetricsPage before, MetricsPage after, Amount amount) {
        Map<String, Double> values = new TreeMap<>();
        SOURCES.forEach((name, source) -> put(values, name, source.times * value(before, after, source, amount)));
        double share = values.getOrDefault("storageMs", Double.NaN) / values.getOrDefault("putMs", Double.NaN);
        put(values, "storageShare", share);
        put(values, "storageSharePercent", 100 * share);
        return values;
    }

    private static void put(Map<String, Double> values, String name, double value) {
        if (Double.isFinite(value)) {
            values.put(name, Millis.rounded(value));
        }
    }

    private static double value(MetricsPage before, MetricsPage after, Source source, Amount amount) {
        double rise = rise(before, after, source.of, source.label);
        return switch (source.how) {
            case MEAN ->
                rise(before, after, source.of + "_sum", source.label)
                        / rise(before, after, source.of + "_count", source.label);
            case RISE -> rise;
            case PER_SECOND -> rise / amount.seconds;
            case PER_REQUEST -> rise / amount.requests;
            case PER_PUT -> rise / amount.put;
            case PER_MESSAGE -> rise / amount.messages;
            case LAST -> after.value(source.of, source.label).orElse(Double.NaN);
        };
    }

    /** Not a number if a page does not have it, or if it fell: the gateway was started again. */
    private static double rise(MetricsPage before, MetricsPage after, String metric, String label) {
        double rise = after.value(metric, label).orElse(Double.NaN)
                - before.value(metric, label).orElse(Double.NaN);
        return rise < 0 ? Double.NaN : rise;
    }
}
