package io.talosgateway.verifier;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * An operation on a partition, with its answer. Instants are nanoseconds since the run began.
 *
 * @param returnNanos {@link #NEVER} if it may take effect at any time after its call, or not at all
 * @param offset of a put, {@link #UNPLACED} if nobody knows; where a read began; the end that was answered
 * @param payloads of a put, its one; of a read, what it found
 * @param by who called, and which gateway
 */
record HistoryOperation(Kind kind, long callNanos, long returnNanos, long offset, List<MessageId> payloads, String by) {

    static final long NEVER = Long.MAX_VALUE;
    static final long UNPLACED = -1;

    private static final int MOST_SHOWN = 4;

    /** What was answered. */
    enum Kind {
        /** Stored at this offset, which was the end. */
        PUT,
        /** Stored at this offset by an earlier attempt. */
        REPEAT,
        /** The outcome is unknown. */
        MAYBE_PUT,
        /** These are the messages from the offset on; if there are none, the offset is the end. */
        READ,
        /** The end is this offset. */
        END,
        /** This offset is beyond the end. */
        BEYOND
    }

    HistoryOperation {
        payloads = List.copyOf(payloads);
    }

    /** The same put, of which it is unknown when it took effect, but not at which offset. */
    HistoryOperation anyTime() {
        return new HistoryOperation(Kind.MAYBE_PUT, Long.MIN_VALUE, NEVER, offset, payloads, by);
    }

    @Override
    public String toString() {
        String shown =
                payloads.stream().limit(MOST_SHOWN).map(MessageId::toString).collect(Collectors.joining(", "))
                        + (payloads.size() > MOST_SHOWN ? ", ..." : "");
        String what = switch (kind) {
            case PUT -> "put %s: stored at offset %d".formatted(shown, offset);
            case REPEAT -> "put %s: a repeat of offset %d".formatted(shown, offset);
            case MAYBE_PUT -> "put %s: outcome unknown".formatted(shown);
            case READ ->
                payloads.isEmpty()
                        ? "get from offset %d: no messages".formatted(offset)
                        : "get from offset %d: %d messages: %s".formatted(offset, payloads.size(), shown);
            case END -> "end: offset %d".formatted(offset);
            case BEYOND -> "get from offset %d: beyond the end".formatted(offset);
        };
        String until = returnNanos == NEVER ? "..." : String.format(Locale.ROOT, "%.4f", returnNanos / 1e9);
        return String.format(Locale.ROOT, "%.4f to %s s, %s, %s", callNanos / 1e9, until, by, what);
    }
}
