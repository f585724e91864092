package io.talosgateway.rest.http;

import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.Await;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class BlockingHandlerTest {

    private final AtomicBoolean answered = new AtomicBoolean();

    private BlockingHandler handler(boolean handles) {
        return new BlockingHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Thread caller = Thread.currentThread();
                // Answered when the caller waits for it: one that does not wait returns before.
                Thread answering = new Thread(() -> {
                    Await.asLongAs(() -> caller.getState() != Thread.State.WAITING);
                    answered.set(true);
                    callback.succeeded();
                });
                answering.setDaemon(true);
                if (handles) {
                    answering.start();
                }
                return handles;
            }
        });
    }

    @Test
    void requestHoldsItsThreadUntilItIsAnswered() throws Exception {
        assertThat(handler(true).handle(null, null, Callback.NOOP)).isTrue();

        assertThat(answered).isTrue();
    }

    @Test
    void requestThatTheHandlerDoesNotTakeIsNotWaitedFor() throws Exception {
        assertThat(handler(false).handle(null, null, Callback.NOOP)).isFalse();
    }
}
