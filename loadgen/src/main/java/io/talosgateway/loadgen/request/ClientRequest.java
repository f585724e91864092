package io.talosgateway.loadgen.request;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import org.jspecify.annotations.Nullable;

/** What a client sends, and how its answers are read: as those of the JSON interface, if nothing else is said. For one thread. */
public interface ClientRequest {

    default HttpAnswer newAnswer() {
        return new HttpAnswer();
    }

    /** What is wrong with an answer; null if it is not an error. */
    default @Nullable Refusal refusal(HttpAnswer answer) {
        return Refusal.ofRest(answer);
    }
}
