package io.talosgateway.benchmarks.overload;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param peak puts a second that the gateway stores when it is asked for no more
 * @param offered puts a second that it is asked for
 * @param stored puts a second that it stores of them, in time
 * @param timeoutMs what each has
 * @param refused by status and code
 * @param refusedP999Ms after which time nearly all others were told so, from when they were sent
 * @param memoryMiB resident memory of the gateway, over time
 */
record OverloadResult(
        double peak,
        double offered,
        double stored,
        long timeoutMs,
        Map<String, Long> refused,
        double refusedP999Ms,
        List<Long> memoryMiB) {

    private static final double LEAST_STORED = 0.9;
    private static final long GRACE_MS = 10;
    private static final double MOST_GROWTH = 1.1;

    /** What is not as it should be; empty if all is. */
    List<String> violations() {
        List<String> violations = new ArrayList<>();
        if (stored < LEAST_STORED * peak) {
            violations.add("fewer puts are stored than 90 % of the peak");
        }
        if (refusedP999Ms > timeoutMs + GRACE_MS) {
            violations.add("more than 1 in 1,000 refusals came later than 10 ms after the put's time was over");
        }
        if (lastMiB() > MOST_GROWTH * earlyMiB()) {
            violations.add("memory grew by more than 10 %");
        }
        return violations;
    }

    /** After a third of the time, when every queue has filled. */
    private long earlyMiB() {
        return memoryMiB.get(memoryMiB.size() / 3);
    }

    private long lastMiB() {
        return memoryMiB.get(memoryMiB.size() - 1);
    }

    String table() {
        StringBuilder text = new StringBuilder("| | |\n|---|---|\n");
        row(text, "peak, closed loop", "%,.0f puts/s", peak);
        row(text, "offered, open loop", "%,.0f puts/s, each with %d ms", offered, timeoutMs);
        row(text, "stored in time", "%,.0f puts/s, %.0f %% of the peak", stored, 100 * stored / peak);
        refused.forEach((kind, count) -> row(text, "answered " + kind, "%,d", count));
        row(text, "their latency, P99.9", "%.1f ms", refusedP999Ms);
        row(
                text,
                "resident memory of the gateway",
                "%d MiB after a third of the time, %d at its end",
                earlyMiB(),
                lastMiB());
        return text.toString();
    }

    private static void row(StringBuilder text, String name, String format, Object... values) {
        text.append("| ").append(name).append(" | ");
        text.append(String.format(Locale.ROOT, format, values)).append(" |\n");
    }
}
