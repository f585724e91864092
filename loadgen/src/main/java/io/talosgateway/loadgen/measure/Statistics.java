package io.talosgateway.loadgen.measure;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** Of several runs. Stateless. */
public final class Statistics {

    private Statistics() {}

    /** @param runs one at least */
    public static <T> double median(List<T> runs, ToDoubleFunction<T> value) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
