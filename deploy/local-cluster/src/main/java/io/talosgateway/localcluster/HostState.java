package io.talosgateway.localcluster;

import java.util.Locale;

/** What a host does. */
enum HostState {
    /** It does what it is there for. */
    READY,
    /** Its process runs, but it does not do what it is there for: it starts, or misses another host. */
    NOT_READY,
    /** Its process is stopped by a signal. */
    PAUSED,
    /** Its process runs, but it is cut off from all others. */
    PARTITIONED,
    /** It has no process. */
    DOWN;

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
