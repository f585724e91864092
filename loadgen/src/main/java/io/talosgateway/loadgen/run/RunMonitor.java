package io.talosgateway.loadgen.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
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
    /** What came since the last line, and when in its phase that was. */
    private final Map<Kind, Tally> notShown = new EnumMap<>(Kind.class);

    private long shownSeconds;
    private long beganNanos = System.nanoTime();

    public RunMonitor(Progress progress, IntervalLog log) {
        this.progress = progress;
        this.timeline = new Timeline(log);
    }

    @Override
    public void accept(RunEvent event) {
        event.tallies().forEach((kind, tally) -> notShown.merge(kind, tally, Tally::plus));
        switch (event.type()) {
            case WARM_UP -> {
                timeline.warmUp(event.tallies());
                show("warm-up", event);
            }
            case BEGIN -> begin(event);
            case SECOND -> {
                timeline.second(event.tallies(), event.atNanos());
                show("measuring", event);
            }
            case END -> {
                timeline.end(event.tallies(), event.atNanos());
                show("measuring", event);
                progress.end();
            }
            case READY, FACTS, FAILED -> {}
        }
    }

    private void show(String phase, RunEvent event) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(event.atNanos());
        if (seconds > shownSeconds && (progress.isTerminal() || seconds % PROGRESS_SECONDS == 0)) {
            progress.show("%s %d s: %s".formatted(phase, seconds, rates(seconds - shownSeconds)));
            shownSeconds = seconds;
            notShown.clear();
        }
    }

    /** By the kinds that there are. */
    private String rates(long seconds) {
        List<String> rates = new ArrayList<>();
        notShown.forEach((kind, tally) ->
                rates.add(String.format(Locale.ROOT, "%,.0f %ss/s", (double) tally.answered() / seconds, kind.text())));
        long errors = notShown.values().stream().mapToLong(Tally::failed).sum();
        if (errors > 0) {
            rates.add(String.format(Locale.ROOT, "%,d errors", errors));
        }
        return String.join(", ", rates);
    }

    private void begin(RunEvent event) {
        beganNanos = System.nanoTime();
        shownSeconds = 0;
        notShown.clear();
        timeline.begin(event.tallies(), 0);
        if (event.counts()) {
            progress.say("The warm-up is over; now it counts");
        }
    }

    public Timeline timeline() {
        return timeline;
    }

    /** When the warm-up was over, by {@link System#nanoTime}. */
    public long beganNanos() {
        return beganNanos;
    }
}
