package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.http.HttpAnswer;

/** The bytes of a reader's requests, and what their answers say. For one thread. */
public interface GetRequest extends ClientRequest {

    /** Asks where the partition ends; does not wait. Valid until the next call. */
    ByteBuffer[] atLatest();

    /** Asks for messages from an offset on, and waits if there are none and the interface can. Valid until the next call. */
    ByteBuffer[] at(long offset);

    /** Whether a get without messages has waited for some. */
    boolean waits();

    /**
     * Where to go on reading.
     *
     * @param answer the last one; not an error
     * @param offset that was asked for; if there was none, 0
     */
    long nextOffset(HttpAnswer answer, long offset);
}
