package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.request.ClientRequest;

/**
 * One client of the load: what it asks next, and what it makes of the answer. It knows nothing of connections, threads and
 * times to wait for. A request that fails is counted and not repeated. One thread at a time.
 */
abstract class Client {

    /** What goes on before the client's next request, unless that has a time of its own. */
    enum Next {
        AT_ONCE,
        /** A gateway that refuses is not hammered. */
        AFTER_PAUSE
    }

    private final KindRecorder recorder;
    private final Window window;
    private final Consumer<String> giveUp;
    private final ClientRequest request;

    /**
     * @param recorder counts what comes of the requests
     * @param giveUp called with a sentence for the user if no request of this kind can succeed
     */
    Client(KindRecorder recorder, Window window, Consumer<String> giveUp, ClientRequest request) {
        this.recorder = recorder;
        this.window = window;
        this.giveUp = giveUp;
        this.request = request;
    }

    final KindRecorder recorder() {
        return recorder;
    }

    final Window window() {
        return window;
    }

    /** Takes the answers of one connection. */
    final HttpAnswer newAnswer() {
        return request.newAnswer();
    }

    /** Lays out the next request; valid until the next call. */
    abstract ByteBuffer[] nextRequest();

    /** Counts an answer that is not an error. */
    abstract Next answered(HttpAnswer answer, long sentAtNanos, long doneAtNanos);

    /** The offset that was asked for is not there. */
    void offsetIsGone() {
        // Only of interest to who asks for one.
    }

    /**
     * Counts what came of a request: an answer from when it was due, an error from when it was sent, since that is when the
     * request's time begins.
     *
     * @param dueNanos {@code sentAtNanos} in a closed loop
     */
    final Next take(HttpAnswer answer, long dueNanos, long sentAtNanos, long doneAtNanos) {
        Refusal refusal = request.refusal(answer);
        if (refusal == null) {
            return answered(answer, dueNanos, doneAtNanos);
        }
        recorder.failed(refusal.status(), refusal.code(), refusal.detail());
        recorder.refused(window.contains(sentAtNanos), doneAtNanos - sentAtNanos);
        switch (refusal.kind()) {
            case NEXT_MAY_SUCCEED -> {}
            case OFFSET_IS_GONE -> offsetIsGone();
            case HOPELESS -> giveUp.accept(refusal.sentence());
        }
        return Next.AFTER_PAUSE;
    }

    /** Counts a request without an answer. */
    final Next failed(IOException reason) {
        String code = "connection-broken";
        if (reason instanceof ConnectException) {
            code = "not-connected";
        } else if (reason instanceof SocketTimeoutException) {
            code = "no-answer";
        }
        String detail = reason.getMessage();
        recorder.failed(0, code, detail == null ? reason.getClass().getSimpleName() : detail);
        return Next.AFTER_PAUSE;
    }

    /** Ends the run because of a bug of ours. */
    final void madeMistake(Throwable mistake) {
        giveUp.accept("The load generator made a mistake: " + mistake);
    }
}
