package io.talosgateway.loadgen.run;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.measure.Timeline;

/** Shows how a run goes, and adds up what comes of it. For the thread that keeps the time of the run. */
public final class RunMonitor {

    /** Off a terminal, a line every so many seconds. */
    private static final int PROGRESS_SECONDS = 2;

    private final Progress progress;
    private final Timeline timeline = new Timeline();
    /** What came since the last line, and when in its phase that was. */
    private final Map<Kind, Tally> notShown = new EnumMap<>(Kind.class);

    private long shownSeconds;
    private long beganNanos = System.nanoTime();

    public RunMonitor(Progress progress) {
        this.progress = progress;
    }

    /**
     * Another second of the warm-up is over.
     *
     * @param tallies what came of requests since the last call, as of all calls
     * @param atNanos since the beginning of the warm-up
     */
    void warmUp(Map<Kind, Tally> tallies, long atNanos) {
        timeline.warmUp(tallies);
        show("warm-up", tallies, atNanos);
    }

    /**
     * The warm-up is over.
     *
     * @param counts whether time that counts follows; false if the run ended in the warm-up
     */
    void begin(Map<Kind, Tally> tallies, boolean counts) {
        beganNanos = System.nanoTime();
        shownSeconds = 0;
        notShown.clear();
        timeline.begin(tallies, 0);
        if (counts) {
            progress.say("The warm-up is over; now it counts");
        }
    }

    /**
     * Another second that counts is over.
     *
     * @param atNanos since the end of the warm-up
     */
    void second(Map<Kind, Tally> tallies, long atNanos) {
        timeline.second(tallies, atNanos);
        show("measuring", tallies, atNanos);
    }

    /**
     * All requests are answered.
     *
     * @param atNanos when the time that counts ended, since the end of the warm-up
     */
    void end(Map<Kind, Tally> tallies, long atNanos) {
        timeline.end(tallies, atNanos);
        show("measuring", tallies, atNanos);
        progress.end();
    }

    private void show(String phase, Map<Kind, Tally> tallies, long atNanos) {
        tallies.forEach((kind, tally) -> notShown.merge(kind, tally, Tally::plus));
        long seconds = TimeUnit.NANOSECONDS.toSeconds(atNanos);
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

    public Timeline timeline() {
        return timeline;
    }

    /** When the warm-up was over, by {@link System#nanoTime}. */
    public long beganNanos() {
        return beganNanos;
    }
}
