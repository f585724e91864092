package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.measure.KindRecorder;

/** A reader's requests: follows the end of its partition, asks for what comes after what it has, and waits for it. */
abstract class GetRequest implements ClientRequest {

    private static final long UNKNOWN = -1;

    private long offset = UNKNOWN;

    @Override
    public final ByteBuffer[] next() {
        return offset == UNKNOWN ? atLatest() : at(offset);
    }

    /** Asks where the partition ends; does not wait. Valid until the next call. */
    abstract ByteBuffer[] atLatest();

    /** Asks for messages from an offset on, and waits if there are none and the interface can. Valid until the next call. */
    abstract ByteBuffer[] at(long from);

    /** Whether a get without messages has waited for some. */
    abstract boolean waits();

    /**
     * Where to go on reading.
     *
     * @param answer the last one; not an error
     * @param asked the offset that was asked for; if there was none, 0
     */
    abstract long nextOffset(HttpAnswer answer, long asked);

    /** What is sent and answered in the window counts: behind its end there are no puts to wait for. */
    @Override
    public final boolean answered(
            HttpAnswer answer, boolean sentInWindow, boolean doneInWindow, long nanos, KindRecorder recorder) {
        boolean following = offset != UNKNOWN;
        long nextOffset = nextOffset(answer, Math.max(0, offset));
        long messages = following && nextOffset > offset ? nextOffset - offset : 0;
        recorder.answered(following && sentInWindow && doneInWindow, nanos, messages, answer.bodyBytes());
        offset = nextOffset;
        return !following || messages > 0 || waits();
    }

    @Override
    public final void offsetIsGone() {
        offset = UNKNOWN;
    }
}
