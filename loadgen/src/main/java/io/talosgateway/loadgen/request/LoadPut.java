package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import org.jspecify.annotations.Nullable;

/** The bytes of a producer's requests. For one thread. */
public interface LoadPut {

    /** The bytes of a put; valid until the next call. */
    ByteBuffer[] number(long put);

    /** The body of the last put. */
    Bodies.Body body();

    HttpAnswer newAnswer();

    /** What is wrong with an answer; null if it is not an error. */
    @Nullable
    Refusal refusal(HttpAnswer answer);
}
