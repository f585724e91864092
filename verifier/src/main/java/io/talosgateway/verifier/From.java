package io.talosgateway.verifier;

/**
 * Where a get begins, as its query says it.
 *
 * @param offset negative for a place that the gateway looks up
 */
record From(long offset) {

    static final From EARLIEST = new From(-2);
    static final From LATEST = new From(-1);

    boolean isOffset() {
        return offset >= 0;
    }

    @Override
    public String toString() {
        return isOffset() ? Long.toString(offset) : equals(LATEST) ? "latest" : "earliest";
    }
}
