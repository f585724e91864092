package io.talosgateway.doctor;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.doctor.Finding.Level;
import org.jspecify.annotations.Nullable;

/** Takes what a check finds, until it has run out of time. Safe for use by any thread. */
public final class Findings {

    // Guarded by this.
    private final List<Finding> all = new ArrayList<>();
    private boolean closed;

    public void ok(String text) {
        add(Level.OK, text, null);
    }

    public void warn(String text, String advice) {
        add(Level.WARN, text, advice);
    }

    public void fail(String text, String advice) {
        add(Level.FAIL, text, advice);
    }

    /** What failed and what to do are in one message, as the gateway itself would log it. */
    void fail(Exception failure) {
        add(Level.FAIL, failure.getMessage() == null ? failure.toString() : failure.getMessage(), null);
    }

    private synchronized void add(Level level, String text, @Nullable String advice) {
        if (!closed) {
            all.add(new Finding(level, text, advice));
        }
    }

    /** What was found; nothing more is taken. */
    synchronized List<Finding> close() {
        closed = true;
        return List.copyOf(all);
    }
}
