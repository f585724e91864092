package io.talosgateway.rest.http;

import java.util.Locale;

/** Classes of requests, for metrics. */
public enum RequestClass {
    /** Answered at its deadline by the use case itself, which knows what is certain then. */
    PUT,
    /** The same; it may wait for messages longer than other requests may take. */
    GET,
    /** A stream of messages, which ends when its client or the host does. */
    STREAM,
    /** Looking at topics, offsets and owners. */
    DESCRIBE,
    /** Consumer groups. */
    GROUP,
    /** Changing topics. */
    ADMIN,
    /** What could not be told apart, because it was refused before. */
    OTHER;

    boolean answersInTime() {
        return this == PUT || this == GET || this == STREAM;
    }

    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
