package io.talosgateway.rest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;

/**
 * A Prometheus histogram of times. Unlike that of the client library it finds a bucket without a search, so that buckets can be fine
 * enough for percentiles. Safe for use by any thread; does not block.
 */
public final class LatencyHistogram extends Collector implements Collector.Describable {

    private static final double NANOS_PER_SECOND = 1e9;

    private final String name;
    private final String help;
    private final String bucketName;
    private final List<String> labelNames;
    private final List<String> namesAndBound;
    private final Map<List<String>, Child> children = new ConcurrentHashMap<>();

    private LatencyHistogram(String name, String help, List<String> labelNames) {
        this.name = name;
        this.help = help;
        this.bucketName = name + "_bucket";
        this.labelNames = labelNames;
        this.namesAndBound = with(labelNames, "le");
    }

    /** @param name ends with {@code _seconds} */
    public static LatencyHistogram register(
            CollectorRegistry registry, String name, String help, String... labelNames) {
        LatencyHistogram histogram = new LatencyHistogram(name, help, List.of(labelNames));
        registry.register(histogram);
        return histogram;
    }

    /** A histogram with coarse buckets and no labels. */
    public static Child coarse(CollectorRegistry registry, String name, String help) {
        return register(registry, name, help).labels();
    }

    /** The series of these values, with coarse buckets if it is new. */
    public Child labels(String... values) {
        return child(Resolution.COARSE, values);
    }

    /** The series of these values, with such buckets if it is new. */
    public Child child(Resolution resolution, String... values) {
        if (values.length != labelNames.size()) {
            throw new IllegalArgumentException(name + " has the labels " + labelNames);
        }
        return children.computeIfAbsent(List.of(values), known -> new Child(resolution, known));
    }

    /** Forgets the series of these values. */
    public void remove(String... values) {
        children.remove(List.of(values));
    }

    /** The times of one series. */
    public static final class Child {

        private final Resolution resolution;
        private final LongAdder[] counts;
        private final LongAdder sumNanos = new LongAdder();
        /** Of each bucket: the values of the series, and its bound. They are the same in every page of metrics. */
        private final List<List<String>> labelValues;

        private Child(Resolution resolution, List<String> values) {
            this.resolution = resolution;
            this.labelValues = IntStream.range(0, resolution.buckets())
                    .mapToObj(bucket -> with(values, doubleToGoString(resolution.boundSeconds(bucket))))
                    .toList();
            this.counts = IntStream.range(0, resolution.buckets())
                    .mapToObj(bucket -> new LongAdder())
                    .toArray(LongAdder[]::new);
        }

        /** @param nanos one below 0, of a clock that went backwards, counts as 0 */
        public void observe(long nanos) {
            long time = Math.max(0, nanos);
            counts[resolution.bucketOf(time)].increment();
            sumNanos.add(time);
        }
    }

    @Override
    public List<MetricFamilySamples> describe() {
        return List.of(new MetricFamilySamples(name, Type.HISTOGRAM, help, List.of()));
    }

    @Override
    public List<MetricFamilySamples> collect() {
        List<MetricFamilySamples.Sample> samples = new ArrayList<>();
        children.forEach((values, child) -> add(samples, values, child));
        return List.of(new MetricFamilySamples(name, Type.HISTOGRAM, help, samples));
    }

    private void add(List<MetricFamilySamples.Sample> samples, List<String> values, Child child) {
        long sumNanos = child.sumNanos.sum();
        long count = 0;
        for (int bucket = 0; bucket < child.counts.length; bucket++) {
            count += child.counts[bucket].sum();
            samples.add(new MetricFamilySamples.Sample(
                    bucketName, namesAndBound, child.labelValues.get(bucket), (double) count));
        }
        samples.add(new MetricFamilySamples.Sample(name + "_count", labelNames, values, (double) count));
        samples.add(new MetricFamilySamples.Sample(name + "_sum", labelNames, values, sumNanos / NANOS_PER_SECOND));
    }

    private static List<String> with(List<String> texts, String last) {
        return Stream.concat(texts.stream(), Stream.of(last)).toList();
    }
}
