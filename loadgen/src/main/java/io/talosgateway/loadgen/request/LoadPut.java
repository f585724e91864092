package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.content.Bodies;

/** The bytes of a producer's requests. For one thread. */
public interface LoadPut extends ClientRequest {

    /** The bytes of a put; valid until the next call. */
    ByteBuffer[] number(long put);

    /** The body of the last put. */
    Bodies.Body body();
}
