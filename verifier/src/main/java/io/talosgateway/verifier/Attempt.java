package io.talosgateway.verifier;

/** A request to put. */
record Attempt(Put put, int gateway, long startNanos, long endNanos, int timeoutMs, PutAnswer answer)
        implements Request {

    @Override
    public String code() {
        return answer.code();
    }
}
