package io.talosgateway.rest.errors;

/** Who has to do something about an error. */
public enum Fault {
    /** The client: its request cannot succeed. */
    CALLER,
    /** Nobody: the gateway has too much to do right now. */
    RESOURCES,
    /** The operator: something that the gateway depends on fails. */
    EXTERNAL,
    /** Us: a bug. */
    INTERNAL
}
