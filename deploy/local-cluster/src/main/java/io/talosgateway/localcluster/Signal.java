package io.talosgateway.localcluster;

/** What is sent to processes, by the names of the system. */
enum Signal {
    KILL,
    TERM,
    STOP,
    CONT
}
