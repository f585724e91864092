package io.talosgateway.loadgen;

import java.util.Locale;

/** Kinds of requests that are timed. */
enum Kind {
    PUT,
    GET;

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
