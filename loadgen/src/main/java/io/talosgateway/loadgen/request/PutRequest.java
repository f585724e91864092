package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.RequestBytes;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.plan.LoadPlan;
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/** A producer's requests: puts one body of the ring after another to its partition. */
abstract class PutRequest implements ClientRequest {

    private static final int CAPACITY = 1024;
    static final byte[] LINE_END = ascii("\r\n");
    private static final byte[] QUOTED_LINE_END = ascii("\"\r\n");

    final int producer;
    final Bodies bodies;
    /** The lines before the body. */
    final RequestBytes head = new RequestBytes(CAPACITY);
    /** The line that says how long the gateway may take; empty for as long as it wants. */
    final String timeoutLine;

    private final byte @Nullable [] keyStart;
    private Bodies.Body body;
    private long puts;

    /** @param keyPrefix what the idempotency keys of this producer begin with; null for no keys */
    PutRequest(LoadPlan plan, int producer, Bodies bodies, @Nullable String keyPrefix) {
        this.producer = producer;
        this.bodies = bodies;
        this.body = bodies.body(0);
        this.timeoutLine = plan.content().timeout() == null
                ? ""
                : "Talos-Timeout-Ms: " + plan.content().timeout().toMillis() + "\r\n";
        this.keyStart = keyPrefix == null ? null : ascii("Idempotency-Key: \"" + keyPrefix);
    }

    @Override
    public final ByteBuffer[] next() {
        return number(puts++);
    }

    /** The bytes of a put; valid until the next call. */
    final ByteBuffer[] number(long put) {
        int slot = bodies.slot(producer, put);
        body = bodies.body(slot);
        return layOut(slot, body, put);
    }

    abstract ByteBuffer[] layOut(int slot, Bodies.Body next, long put);

    final void layOutKey(long put) {
        if (keyStart != null) {
            head.put(keyStart).hexadecimal(put).put(QUOTED_LINE_END);
        }
    }

    /** The body of the last put. */
    final Bodies.Body body() {
        return body;
    }

    /** What is sent in the window counts, also if its answer comes later: a stall at the end is to be seen. */
    @Override
    public final boolean answered(
            HttpAnswer answer, boolean sentInWindow, boolean doneInWindow, long nanos, KindRecorder recorder) {
        recorder.answered(sentInWindow, nanos, body.messages(), body.payload());
        return true;
    }
}
