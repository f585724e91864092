package io.talosgateway.verifier;

import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A request to a gateway, and what came of it. Instants are nanoseconds since the run began. */
interface Request {

    /** Which gateway was asked, from 0. */
    int gateway();

    long startNanos();

    long endNanos();

    /** What it was given, in {@code Talos-Timeout-Ms}. */
    int timeoutMs();

    /** Of the answer, or why there is none. */
    String code();

    default boolean isAnswered() {
        return !Set.of(PutAnswer.NOT_CONNECTED, PutAnswer.NO_ANSWER, PutAnswer.CONNECTION_BROKEN)
                .contains(code());
    }

    /** How much later than its time it ended. */
    default long lateNanos() {
        return endNanos() - startNanos() - TimeUnit.MILLISECONDS.toNanos(timeoutMs());
    }
}
