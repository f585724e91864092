package io.talosgateway.loadgen.measure;

import java.util.Locale;

/** Kinds of requests that are timed. */
public enum Kind {
    PUT,
    GET;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
