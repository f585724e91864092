package io.talosgateway.loadgen.measure;

import java.util.Locale;

/** Kinds of requests that are timed. */
public enum Kind {
    PUT,
    GET,
    /** A message is taken out of a queue and acknowledged; its latency is its age. */
    TAKE;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
