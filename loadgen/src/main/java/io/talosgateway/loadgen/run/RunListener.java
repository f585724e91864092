package io.talosgateway.loadgen.run;

import java.util.Map;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;

/** Hears how a run goes. One thread calls it, that which keeps the time of the run. */
public interface RunListener {

    /**
     * What has been answered since the beginning of the warm-up.
     *
     * @param errors of both kinds
     */
    record Totals(long puts, long gets, long errors) {

        /** Of both kinds, without errors. */
        public long answered() {
            return puts + gets;
        }

        public Totals plus(Totals other) {
            return new Totals(puts + other.puts, gets + other.gets, errors + other.errors);
        }
    }

    /** Another second is over, of the warm-up or of the time that counts, or all of it; {@code seconds} of it are. */
    void progress(Phase phase, int seconds, Totals totals);

    /**
     * The warm-up is over.
     *
     * @param early what came of it: errors, and what counts already
     * @param counts whether time that counts follows; false if the run ended in the warm-up
     */
    void begin(Map<Kind, Tally> early, boolean counts);

    /**
     * A second that counts is over.
     *
     * @param tallies what came of the requests that were answered in it
     * @param sinceBeginNanos since the end of the warm-up
     */
    void second(Map<Kind, Tally> tallies, long sinceBeginNanos);

    /**
     * All requests are answered.
     *
     * @param rest what came of the requests that were answered after the last second
     * @param sinceBeginNanos until the end of the time that counts, since that of the warm-up
     */
    void end(Map<Kind, Tally> rest, long sinceBeginNanos);

    /** Parts of a run. */
    enum Phase {
        WARM_UP("warm-up"),
        MEASURING("measuring");

        private final String text;

        Phase(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }
}
