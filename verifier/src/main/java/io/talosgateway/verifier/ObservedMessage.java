package io.talosgateway.verifier;

import org.jspecify.annotations.Nullable;

/**
 * What is at an offset. Packed into a long for the ledger, of which {@link #NOTHING} stands for an offset that nobody has seen:
 *
 * <pre>
 * bit 63      somebody else's message; the other bits are of a hash of it
 * bit 62      the message was changed
 * bits 44-57  writer + 1
 * bits 12-43  number
 * bits 0-11   index
 * </pre>
 *
 * @param message null for one that nobody of this run has put
 * @param changed whether its bytes are others than were put
 */
record ObservedMessage(@Nullable MessageId message, boolean changed, int hash) {

    static final long NOTHING = 0;

    private static final int NUMBER_SHIFT = 12;
    private static final int WRITER_SHIFT = NUMBER_SHIFT + Integer.SIZE;
    private static final long CHANGED = 1L << 62;

    static ObservedMessage foreign(int hash) {
        return new ObservedMessage(null, false, hash);
    }

    static ObservedMessage of(MessageId message) {
        return new ObservedMessage(message, false, 0);
    }

    static ObservedMessage changed(MessageId message) {
        return new ObservedMessage(message, true, 0);
    }

    long pack() {
        if (message == null) {
            return Long.MIN_VALUE | (hash & 0xffffffffL);
        }
        return (changed ? CHANGED : 0)
                | (message.writer() + 1L) << WRITER_SHIFT
                | (long) message.number() << NUMBER_SHIFT
                | message.index();
    }

    /** Null for {@link #NOTHING}. */
    static @Nullable ObservedMessage unpack(long packed) {
        if (packed == NOTHING) {
            return null;
        }
        if (packed < 0) {
            return foreign((int) packed);
        }
        int writer = (int) (packed >>> WRITER_SHIFT & (MessageId.MAX_WRITERS - 1)) - 1;
        int index = (int) packed & (MessageId.MAX_INDEX - 1);
        return new ObservedMessage(
                new MessageId(writer, (int) (packed >>> NUMBER_SHIFT), index), (packed & CHANGED) != 0, 0);
    }

    @Override
    public String toString() {
        if (message == null) {
            return "a message of somebody else";
        }
        return changed ? message + " with other bytes" : message.toString();
    }
}
