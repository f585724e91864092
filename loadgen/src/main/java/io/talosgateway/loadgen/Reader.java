package io.talosgateway.loadgen;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Follows the end of its partition: asks for what comes after what it has, and waits for it. */
final class Reader extends Worker {

    private static final long UNKNOWN = -1;
    private static final int OFFSET_IS_GONE = 416;

    private final GetRequest request;
    private long offset = UNKNOWN;

    Reader(Connection connection, Window window, KindRecorder recorder, Consumer<String> giveUp, GetRequest request) {
        super(connection, window, null, recorder, giveUp);
        this.request = request;
    }

    @Override
    ByteBuffer[] nextRequest() {
        return offset == UNKNOWN ? request.atLatest() : request.at(offset);
    }

    /** What is sent and answered in the window counts: behind its end there are no puts to wait for. */
    @Override
    void answered(HttpAnswer answer, long sentAtNanos, long doneAtNanos) {
        boolean following = offset != UNKNOWN;
        long messages = following && answer.nextOffset() > offset ? answer.nextOffset() - offset : 0;
        boolean counts = following && window().contains(sentAtNanos) && window().contains(doneAtNanos);
        recorder().answered(counts, doneAtNanos - sentAtNanos, messages, answer.bodyBytes());
        offset = answer.nextOffset();
    }

    @Override
    boolean goesOnAfter(int status) {
        if (status == OFFSET_IS_GONE) {
            offset = UNKNOWN;
            return true;
        }
        return status >= 500 || status == 408 || status == 429;
    }
}
