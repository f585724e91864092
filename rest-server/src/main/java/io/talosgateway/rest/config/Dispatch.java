package io.talosgateway.rest.config;

/** What a request holds while it waits. */
public enum Dispatch {
    /** No thread. */
    ASYNCHRONOUS,
    /** A thread of the HTTP server until it is answered, and a worker of its pool until it is done: for comparison. */
    BLOCKING
}
