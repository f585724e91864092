package io.talosgateway.loadgen.run;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.request.LoadPut;

/** Puts one body after another to its partition. */
final class Producer extends Client {

    private final LoadPut request;
    private long puts;

    Producer(KindRecorder recorder, Window window, Consumer<String> giveUp, LoadPut request) {
        super(recorder, window, giveUp, request);
        this.request = request;
    }

    @Override
    ByteBuffer[] nextRequest() {
        return request.number(puts++);
    }

    /** What is sent in the window counts, also if its answer comes later: a stall at the end is to be seen. */
    @Override
    Next answered(HttpAnswer answer, long sentAtNanos, long doneAtNanos) {
        Bodies.Body body = request.body();
        recorder().answered(window().contains(sentAtNanos), doneAtNanos - sentAtNanos, body.messages(), body.payload());
        return Next.AT_ONCE;
    }
}
