package io.talosgateway.loadgen.stages;

import java.util.List;
import java.util.Locale;

/** Where the time went, for people to read. Stateless. */
public final class StageText {

    /** Said of a run whose gateway is on another host. */
    public static final String OTHER_CLOCK =
            "The gateway's clock is another than that of this process: the ways to and from the gateway are not known, and the "
                    + "shares are of the time within it.";

    private StageText() {}

    /** A table for each kind of request. */
    public static String of(List<StageTimes> kinds) {
        StringBuilder text = new StringBuilder();
        for (StageTimes kind : kinds) {
            text.append(String.format(
                    Locale.ROOT,
                    "Where the time of a %s goes: %,d requests, %.3f ms in the mean%n",
                    kind.request(),
                    kind.samples(),
                    kind.meanMs()));
            if (kind.problem() != null) {
                text.append("Not every request could be timed: ")
                        .append(kind.problem())
                        .append(".\n");
            }
            if (!kind.oneClock()) {
                text.append(OTHER_CLOCK).append('\n');
            }
            text.append(String.format(Locale.ROOT, "%-24s %10s %10s %10s %7s%n", "", "mean ms", "P50", "P99", "share"));
            for (StageTimes.Step step : kind.steps()) {
                text.append(String.format(
                        Locale.ROOT,
                        "%-24s %10.4f %10.4f %10.4f %6.1f%%%s%n",
                        step.from() + " - " + step.to(),
                        step.meanMs(),
                        step.p50Ms(),
                        step.p99Ms(),
                        100 * step.share(),
                        step.count() == kind.samples() ? "" : "  (%,d requests)".formatted(step.count())));
            }
            text.append('\n');
        }
        return text.toString();
    }
}
