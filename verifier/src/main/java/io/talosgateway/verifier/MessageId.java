package io.talosgateway.verifier;

/**
 * What a message says of itself.
 *
 * @param writer who put it, from 0
 * @param number which of the writer's puts, from 0
 * @param index its place in the put, from 0
 */
record MessageId(int writer, int number, int index) {

    static final int MAX_WRITERS = 1 << 14;
    static final int MAX_INDEX = 1 << 12;

    @Override
    public String toString() {
        return "message %d of put %d of writer %d".formatted(index, number, writer);
    }
}
