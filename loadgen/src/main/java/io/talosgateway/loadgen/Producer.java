package io.talosgateway.loadgen;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/** Puts one message after another to its partition. */
final class Producer extends Worker {

    private final PutRequest request;
    private final int size;
    private long puts;

    Producer(
            Connection connection,
            Window window,
            @Nullable Pacing pacing,
            KindRecorder recorder,
            Consumer<String> giveUp,
            PutRequest request,
            int size) {
        super(connection, window, pacing, recorder, giveUp);
        this.request = request;
        this.size = size;
    }

    @Override
    ByteBuffer[] nextRequest() {
        return request.number(puts++);
    }

    /** What is sent in the window counts, also if its answer comes later: a stall at the end is to be seen. */
    @Override
    void answered(HttpAnswer answer, long sentAtNanos, long doneAtNanos) {
        recorder().answered(window().contains(sentAtNanos), doneAtNanos - sentAtNanos, 1, size);
    }

    /** A gateway that is busy, or that is not the owner any more, may take the next put. */
    @Override
    boolean goesOnAfter(int status) {
        return status >= 500 || status == 408 || status == 429;
    }
}
