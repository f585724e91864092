package io.talosgateway.benchmarks.selection;

import java.util.List;

/**
 * What came of one run.
 *
 * @param meanMs from when a task was due to when it was done
 * @param waitMeanMs of that, in the queue
 * @param switchesPerSecond context switches of all threads
 * @param tasksByThread tasks that each thread ran, by its index
 * @param tasksByDepth tasks that found so many at their thread; the last counts what found more
 */
record Selection(
        Policy policy,
        int threads,
        double meanMs,
        double p50Ms,
        double p99Ms,
        double waitMeanMs,
        double switchesPerSecond,
        List<Long> tasksByThread,
        List<Long> tasksByDepth) {}
