package io.talosgateway.verifier;

/**
 * Which message something is, in the word that the ledger keeps for it:
 *
 * <pre>
 * bit 63      somebody else's message; the other bits are of a hash of it
 * bit 62      the message was changed: its bytes are others than were put
 * bits 44-57  writer + 1
 * bits 12-43  number of the writer's put
 * bits 0-11   index in the put
 * </pre>
 */
record MessageId(long word) {

    static final int MAX_WRITERS = 1 << 14;
    static final int MAX_INDEX = 1 << 12;

    private static final int NUMBER_SHIFT = 12;
    private static final int WRITER_SHIFT = NUMBER_SHIFT + Integer.SIZE;
    private static final long CHANGED = 1L << 62;

    static MessageId of(int writer, int number, int index) {
        return new MessageId((writer + 1L) << WRITER_SHIFT | Integer.toUnsignedLong(number) << NUMBER_SHIFT | index);
    }

    /** One that nobody of this run has put. */
    static MessageId foreign(int hash) {
        return new MessageId(Long.MIN_VALUE | Integer.toUnsignedLong(hash));
    }

    MessageId changed() {
        return new MessageId(word | CHANGED);
    }

    /** What it was before it was changed. */
    MessageId original() {
        return new MessageId(word & ~CHANGED);
    }

    boolean isForeign() {
        return word < 0;
    }

    boolean isChanged() {
        return !isForeign() && (word & CHANGED) != 0;
    }

    int writer() {
        return (int) (word >>> WRITER_SHIFT & (MAX_WRITERS - 1)) - 1;
    }

    int number() {
        return (int) (word >>> NUMBER_SHIFT);
    }

    int index() {
        return (int) word & (MAX_INDEX - 1);
    }

    @Override
    public String toString() {
        return isForeign()
                ? "a message of somebody else"
                : "message %d of put %d of writer %d%s"
                        .formatted(index(), number(), writer(), isChanged() ? " with other bytes" : "");
    }
}
