package io.talosgateway.verifier;

/** Requests to a gateway that is about to be paused. For one thread. */
interface DuringPause extends AutoCloseable {

    /** While it is paused. */
    void send();

    /** When it goes on. */
    void receive();

    @Override
    void close();
}
