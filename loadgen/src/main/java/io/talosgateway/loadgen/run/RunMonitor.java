package io.talosgateway.loadgen.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.IntervalLog;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.measure.Timeline;

/** Shows how a run goes, and adds up what comes of it. */
public final class RunMonitor implements Consumer<RunEvent> {

    /** Off a terminal, a line every so many seconds. */
    private static final int PROGRESS_SECONDS = 2;

    private final Progress progress;
    private final Timeline timeline;
    private RunEvent shown = RunEvent.of(RunEvent.Type.WARM_UP);
    private RunEvent.Totals latest = shown.totals();
    private long beganNanos = System.nanoTime();
    private volatile boolean warm;

    public RunMonitor(Progress progress, IntervalLog log) {
        this.progress = progress;
        this.timeline = new Timeline(log);
    }

    @Override
    public void accept(RunEvent event) {
        switch (event.type()) {
            case WARM_UP -> show("warm-up", event);
            case MEASURING -> show("measuring", event);
            case BEGIN -> begin(event.tallies(), event.counts());
            case SECOND -> timeline.second(event.tallies(), event.sinceBeginNanos());
            case END -> {
                progress.end();
                timeline.end(event.tallies(), event.sinceBeginNanos());
            }
            case READY, FACTS, FAILED -> {}
        }
    }

    private void show(String phase, RunEvent event) {
        RunEvent.Totals totals = event.totals();
        latest = totals;
        int seconds = event.seconds();
        if (seconds > shown.seconds() && (progress.isTerminal() || seconds % PROGRESS_SECONDS == 0)) {
            progress.show(
                    "%s %d s: %s".formatted(phase, seconds, rates(shown.totals(), totals, seconds - shown.seconds())));
            shown = event;
        }
    }

    /** Of the seconds between two looks, by the kinds that there are. */
    private static String rates(RunEvent.Totals before, RunEvent.Totals now, int seconds) {
        List<String> rates = new ArrayList<>();
        now.answered().forEach((kind, count) -> {
            double perSecond = (double) (count - before.answered().getOrDefault(kind, 0L)) / seconds;
            rates.add(String.format(Locale.ROOT, "%,.0f %ss/s", perSecond, kind.text()));
        });
        long errors = now.errors() - before.errors();
        if (errors > 0) {
            rates.add(String.format(Locale.ROOT, "%,d errors", errors));
        }
        return String.join(", ", rates);
    }

    private void begin(Map<Kind, Tally> early, boolean counts) {
        beganNanos = System.nanoTime();
        warm = true;
        shown = RunEvent.progress(RunEvent.Type.MEASURING, 0, latest);
        timeline.begin(early, 0);
        if (counts) {
            progress.say("The warm-up is over; now it counts");
        }
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
