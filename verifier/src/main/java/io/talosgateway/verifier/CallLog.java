package io.talosgateway.verifier;

/** Takes note of requests and what came of them. Any thread. */
interface CallLog {

    void attempted(Attempt attempt);

    void got(Get get);
}
