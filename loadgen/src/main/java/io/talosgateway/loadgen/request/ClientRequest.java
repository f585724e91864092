package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.measure.KindRecorder;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends, one request after another, and how its answers are read: as those of the JSON interface, if nothing
 * else is said. For one thread.
 */
public interface ClientRequest {

    /** Lays out the next request; valid until the next call. */
    ByteBuffer[] next();

    default HttpAnswer newAnswer() {
        return new HttpAnswer();
    }

    /** What is wrong with an answer; null if it is not an error. */
    default @Nullable Refusal refusal(HttpAnswer answer) {
        return Refusal.ofRest(answer);
    }

    /**
     * Counts an answer that is not an error.
     *
     * @param sentInWindow, doneInWindow whether requests counted when it was sent, and when it was answered
     * @return whether the next request may follow at once
     */
    boolean answered(HttpAnswer answer, boolean sentInWindow, boolean doneInWindow, long nanos, KindRecorder recorder);

    /** The offset that was asked for is not there. */
    default void offsetIsGone() {
        // Only of interest to who asks for one.
    }
}
