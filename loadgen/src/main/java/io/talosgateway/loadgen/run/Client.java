package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.plan.Pacing;
import io.talosgateway.loadgen.request.ClientRequest;

/**
 * One client of the load: what it asks next, and what it makes of the answer. It knows nothing of connections, threads and
 * times to wait for. A request that fails is counted and not repeated. One thread at a time.
 *
 * @param recorder counts what comes of the requests
 * @param giveUp called with a sentence for the user if no request of this kind can succeed
 */
record Client(KindRecorder recorder, Window window, Consumer<String> giveUp, ClientRequest request) {

    /** Lays out the next request; valid until the next call. */
    ByteBuffer[] nextRequest() {
        return request.next();
    }

    /**
     * Counts what came of a request: an answer from when it was due, an error from when it was sent, since that is when the
     * request's time begins.
     *
     * @param dueNanos {@code sentAtNanos} in a closed loop
     * @return whether the next request may follow at once, unless that has a time of its own: a gateway that refuses is not
     *     hammered
     */
    boolean take(HttpAnswer answer, long dueNanos, long sentAtNanos, long doneAtNanos) {
        Refusal refusal = request.refusal(answer);
        if (refusal == null) {
            return request.answered(
                    answer, window.contains(dueNanos), window.contains(doneAtNanos), doneAtNanos - dueNanos, recorder);
        }
        recorder.failed(refusal.status(), refusal.code(), refusal.detail());
        recorder.refused(window.contains(sentAtNanos), doneAtNanos - sentAtNanos);
        switch (refusal.kind()) {
            case NEXT_MAY_SUCCEED -> {}
            case OFFSET_IS_GONE -> request.offsetIsGone();
            case HOPELESS -> giveUp.accept(refusal.sentence());
        }
        return false;
    }

    /** Counts a request without an answer. */
    void failed(IOException reason) {
        String code = "connection-broken";
        if (reason instanceof ConnectException) {
            code = "not-connected";
        } else if (reason instanceof SocketTimeoutException) {
            code = "no-answer";
        }
        String detail = reason.getMessage();
        recorder.failed(0, code, detail == null ? reason.getClass().getSimpleName() : detail);
    }

    /** When the next request is due; counts those before it for which there was no connection until long after the end. */
    long nextDue(Pacing pacing, long nowNanos) {
        long dueNanos = pacing.nextNanos();
        for (; window.isLongOver(nowNanos) && !window.isOver(dueNanos); dueNanos = pacing.nextNanos()) {
            if (window.contains(dueNanos)) {
                recorder.failed(0, "not-sent", "It was due in the run, and every connection waited for an answer");
            }
        }
        return dueNanos;
    }

    /** Ends the run because of a bug of ours. */
    void madeMistake(Throwable mistake) {
        giveUp.accept("The load generator made a mistake: " + mistake);
    }
}
