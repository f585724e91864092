package io.talosgateway.benchmarks.ideal;

import io.talosgateway.benchmarks.process.MetricsPage;

/**
 * Where the time of a put goes in the gateway, in the mean over the puts between two looks at its metrics.
 *
 * @param requestMs from the arrival of its headers until its answer was written ({@code talos_request_seconds}, puts)
 * @param poolWaitMs waiting for a worker of the put pool ({@code talos_pool_wait_seconds}, puts)
 * @param storageMs from handing it to its lane until it was durable ({@code talos_put_storage_seconds})
 * @param laneWaitMs the part of that until its group began to be written ({@code talos_journal_lane_wait_seconds})
 * @param writeMs writing a group, the mean over groups ({@code talos_journal_write_seconds})
 * @param syncMs syncing a group, the mean over groups ({@code talos_journal_sync_seconds})
 * @param answerWaitMs from then until a thread came to answer it, behind the answers of the group's other puts
 *     ({@code talos_put_answer_wait_seconds})
 * @param groupPuts puts of a group ({@code talos_journal_group_puts})
 */
record PutTimes(
        double requestMs,
        double poolWaitMs,
        double storageMs,
        double laneWaitMs,
        double writeMs,
        double syncMs,
        double answerWaitMs,
        double groupPuts) {

    static PutTimes between(MetricsPage before, MetricsPage after) {
        return new PutTimes(
                1000 * mean(before, after, "talos_request_seconds", "class=\"put\""),
                1000 * mean(before, after, "talos_pool_wait_seconds", "pool=\"put\""),
                1000 * mean(before, after, "talos_put_storage_seconds"),
                1000 * mean(before, after, "talos_journal_lane_wait_seconds"),
                1000 * mean(before, after, "talos_journal_write_seconds"),
                1000 * mean(before, after, "talos_journal_sync_seconds"),
                1000 * mean(before, after, "talos_put_answer_wait_seconds"),
                mean(before, after, "talos_journal_group_puts"));
    }

    /** What a histogram's sum rose by, for each that it counted. */
    private static double mean(MetricsPage before, MetricsPage after, String histogram, String... labels) {
        double sum = after.value(histogram + "_sum", labels) - before.value(histogram + "_sum", labels);
        double count = after.value(histogram + "_count", labels) - before.value(histogram + "_count", labels);
        return count == 0 ? 0 : sum / count;
    }

    /** The storage's share of a put's time in the gateway: waiting for the lane, writing and syncing. */
    double storageShare() {
        return storageMs / requestMs;
    }
}
