package io.talosgateway.loadgen.run;

import java.util.Map;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.IntervalLog;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.measure.Timeline;

/** Shows how a run goes, and adds up what comes of it. */
public final class RunMonitor implements RunListener {

    /** Off a terminal, a line every so many seconds. */
    private static final int PROGRESS_SECONDS = 2;

    private final Progress progress;
    private final Timeline timeline;
    private Phase shownPhase = Phase.WARM_UP;
    private int shownSeconds;
    private Totals shown = new Totals(0, 0, 0);
    private Totals latest = shown;
    private long beganNanos = System.nanoTime();
    private volatile boolean warm;

    public RunMonitor(Progress progress, IntervalLog log) {
        this.progress = progress;
        this.timeline = new Timeline(log);
    }

    @Override
    public void progress(Phase phase, int seconds, Totals totals) {
        latest = totals;
        if (phase != shownPhase) {
            shownPhase = phase;
            shownSeconds = 0;
        }
        if (seconds > shownSeconds && (progress.isTerminal() || seconds % PROGRESS_SECONDS == 0)) {
            progress.rates(
                    "%s %d s".formatted(phase.text(), seconds),
                    seconds - shownSeconds,
                    totals.puts() - shown.puts(),
                    totals.gets() - shown.gets(),
                    totals.errors() - shown.errors());
            shown = totals;
            shownSeconds = seconds;
        }
    }

    @Override
    public void begin(Map<Kind, Tally> early, boolean counts) {
        beganNanos = System.nanoTime();
        warm = true;
        shown = latest;
        timeline.begin(early, 0);
        if (counts) {
            progress.say("The warm-up is over; now it counts");
        }
    }

    @Override
    public void second(Map<Kind, Tally> tallies, long sinceBeginNanos) {
        timeline.second(tallies, sinceBeginNanos);
    }

    @Override
    public void end(Map<Kind, Tally> rest, long sinceBeginNanos) {
        progress.end();
        timeline.end(rest, sinceBeginNanos);
    }

    public Timeline timeline() {
        return timeline;
    }

    /** Whether the warm-up is over. Any thread. */
    public boolean isWarm() {
        return warm;
    }

    /** When the warm-up was over, by {@link System#nanoTime}. */
    public long beganNanos() {
        return beganNanos;
    }
}
