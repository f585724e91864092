package io.talosgateway.loadgen.experiment;

import java.util.Locale;

/** How large an experiment is. */
enum Scale {
    /** Fits two cores, and is over in less than ten minutes. */
    QUICK,
    /** Of the size of the published one, as far as one machine can have it. */
    FULL;

    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
