package io.talosgateway.loadgen.group;

import java.io.PrintStream;
import java.util.Map;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.run.RunListener;

/** Tells how the run of this process goes, to the command that started it: a line for each message. */
final class ProcessReporter implements RunListener {

    private final PrintStream out;

    ProcessReporter(PrintStream out) {
        this.out = out;
    }

    void say(ProcessMessage message) {
        out.println(message.toLine());
        out.flush();
    }

    @Override
    public void progress(Phase phase, int seconds, Totals totals) {
        say(ProcessMessage.progress(phase, seconds, totals));
    }

    @Override
    public void begin(Map<Kind, Tally> early, boolean counts) {
        say(ProcessMessage.tallies(ProcessMessage.Type.BEGIN, early, 0, counts));
    }

    @Override
    public void second(Map<Kind, Tally> tallies, long sinceBeginNanos) {
        say(ProcessMessage.tallies(ProcessMessage.Type.SECOND, tallies, sinceBeginNanos, true));
    }

    @Override
    public void end(Map<Kind, Tally> rest, long sinceBeginNanos) {
        say(ProcessMessage.tallies(ProcessMessage.Type.END, rest, sinceBeginNanos, true));
    }
}
