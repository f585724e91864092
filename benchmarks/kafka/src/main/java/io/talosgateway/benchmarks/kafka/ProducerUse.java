package io.talosgateway.benchmarks.kafka;

import java.util.Locale;

/** How threads share Kafka's producers. A producer has a connection and a sending thread of its own. */
enum ProducerUse {
    /** All threads use one producer. */
    SHARED,
    /** Each thread has one. */
    PER_THREAD;

    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** As on a command line. */
    static ProducerUse parse(String text) {
        for (ProducerUse use : values()) {
            if (use.text().equals(text)) {
                return use;
            }
        }
        throw new IllegalArgumentException("'" + text + "' is not a use of producers: say shared or per-thread");
    }
}
