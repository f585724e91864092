package io.talosgateway.loadgen.run;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.request.GetRequest;

/** Follows the end of its partition: asks for what comes after what it has, and waits for it. */
final class Reader extends Client {

    private static final long UNKNOWN = -1;

    private final GetRequest request;
    private long offset = UNKNOWN;

    Reader(KindRecorder recorder, Window window, Consumer<String> giveUp, GetRequest request) {
        super(recorder, window, giveUp, request);
        this.request = request;
    }

    @Override
    ByteBuffer[] nextRequest() {
        return offset == UNKNOWN ? request.atLatest() : request.at(offset);
    }

    /** What is sent and answered in the window counts: behind its end there are no puts to wait for. */
    @Override
    Next answered(HttpAnswer answer, long sentAtNanos, long doneAtNanos) {
        boolean following = offset != UNKNOWN;
        long nextOffset = request.nextOffset(answer, Math.max(0, offset));
        long messages = following && nextOffset > offset ? nextOffset - offset : 0;
        boolean counts = following && window().contains(sentAtNanos) && window().contains(doneAtNanos);
        recorder().answered(counts, doneAtNanos - sentAtNanos, messages, answer.bodyBytes());
        offset = nextOffset;
        return following && messages == 0 && !request.waits() ? Next.AFTER_PAUSE : Next.AT_ONCE;
    }

    @Override
    void offsetIsGone() {
        offset = UNKNOWN;
    }
}
