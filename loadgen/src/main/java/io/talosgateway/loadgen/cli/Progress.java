package io.talosgateway.loadgen.cli;

import java.io.PrintWriter;

/** Shows how a run goes: on a terminal one line that changes, elsewhere a line each time. Safe for use by any
 * thread. */
public final class Progress {

    private static final String TERMINAL_PROPERTY = "talos.loadgen.terminal";
    private static final String BACK_TO_START_AND_CLEAR = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean terminal;
    private boolean lineIsOpen;

    /** To a terminal, or not: the start script says which, since Java cannot see it. */
    public static Progress to(PrintWriter out) {
        return new Progress(out, Boolean.getBoolean(TERMINAL_PROPERTY));
    }

    private Progress(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    public boolean isTerminal() {
        return terminal;
    }

    /** Says how it goes, in the place of what was said before. */
    public synchronized void show(String line) {
        if (terminal) {
            out.print(BACK_TO_START_AND_CLEAR + line);
            lineIsOpen = true;
        } else {
            out.println(line);
        }
        out.flush();
    }

    /** Says something that stays. */
    public synchronized void say(String line) {
        end();
        out.println(line);
        out.flush();
    }

    public synchronized void end() {
        if (lineIsOpen) {
            out.println();
            out.flush();
            lineIsOpen = false;
        }
    }
}
