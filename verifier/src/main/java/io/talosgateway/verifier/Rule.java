package io.talosgateway.verifier;

import java.util.Locale;

/** What a cluster promises, and {@link Check} checks. */
enum Rule {
    /** An acknowledged message is there, at the offset that was acknowledged. */
    ACKNOWLEDGED_IS_THERE,
    /** A put is stored once, whole, however often it is repeated. */
    STORED_ONCE,
    /** A message is stored byte for byte. */
    UNCHANGED,
    /** All readers see the same message at an offset. */
    ONE_ORDER,
    /** Offsets have no gaps, and begin at 0. */
    DENSE,
    /** A put that was answered with 'not stored' is not there. */
    NOT_STORED_IS_NOT_THERE,
    /** A repeat is answered as one, with the offset of the first time. */
    REPEAT_IS_MARKED,
    /** Every request is answered. */
    ANSWERED,
    /** Every answer comes within the time that the request gave. */
    IN_TIME,
    /** Every answer is one to its request. */
    UNDERSTOOD,
    /** Nothing is there that nobody put. */
    NOTHING_ELSE,
    /** A put that begins after another was acknowledged comes after it. */
    REAL_TIME,
    /** Puts of a writer that waits for each answer are in its order. */
    ORDER_OF_WRITER,
    /** A get that begins after a put was acknowledged is not told that the partition ends before that put. */
    ACKNOWLEDGED_IS_SEEN,
    /** A get that begins after another was answered is not told of an earlier beginning or end. */
    BOUNDS_NEVER_FALL,
    /** Puts, gets and the end of a partition are linearizable. */
    LINEARIZABLE,
    /** After the faults, every gateway and every partition serves again. */
    SERVES_AGAIN;

    /** The name in reports, such as {@code stored-once}. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
