package io.talosgateway.verifier;

/** A get, or a request for the status of a partition. */
record Get(int partition, From from, int gateway, long startNanos, long endNanos, int timeoutMs, GetAnswer answer)
        implements Request {

    @Override
    public String code() {
        return answer.code();
    }
}
