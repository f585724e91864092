package io.talosgateway.rest.bootstrap;

import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.StateTrackingHandler;
import org.eclipse.jetty.server.handler.StateTrackingHandler.ThreadInfo;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** Notes every wrong use of Jetty's asynchronous interfaces. */
final class JettyContractWatcher implements StateTrackingHandler.Listener {

    private static final long BLOCKED_MS = 30_000;
    private static final long NEVER_ANSWERED_MS = 300_000;

    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    /** The one for clients is started last. */
    private @Nullable StateTrackingHandler last;

    Handler watch(Handler handler) {
        StateTrackingHandler watching = new StateTrackingHandler(this);
        watching.setHandlerCallbackTimeout(NEVER_ANSWERED_MS);
        watching.setDemandCallbackTimeout(BLOCKED_MS);
        // A client may read slowly.
        watching.setWriteTimeout(NEVER_ANSWERED_MS);
        watching.setWriteCallbackTimeout(BLOCKED_MS);
        watching.setHandler(handler);
        // Otherwise it would say that it blocks, whatever its handler says.
        watching.setDynamic(false);
        last = watching;
        return watching;
    }

    /** Whether the server for clients has its selectors serve requests, or other threads, because its handler blocks. */
    InvocationType invocationType() {
        return Objects.requireNonNull(last).getServer().getInvocationType();
    }

    void assertNoViolations() {
        assertThat(violations).isEmpty();
    }

    @Override
    public void onInvalidHandlerReturnValue(Request request, ThreadInfo thread) {
        violations.add(request + ": returned false, but completed the callback: " + thread.getInfo());
    }

    @Override
    public void onHandlerException(Request request, Throwable failure, ThreadInfo thread) {
        violations.add(request + ": threw " + failure + " after it had completed the callback: " + thread.getInfo());
    }

    @Override
    public void onHandlerCallbackNotCompleted(Request request, ThreadInfo thread) {
        violations.add(request + ": not answered: " + thread.getInfo());
    }

    @Override
    public void onDemandCallbackBlocked(Request request, ThreadInfo demandThread, ThreadInfo runThread) {
        violations.add(request + ": blocks while it reads the body: " + runThread.getInfo());
    }

    @Override
    public void onWriteBlocked(Request request, ThreadInfo writeThread, ThreadInfo writingThread) {
        violations.add(request + ": blocks in a write: " + writingThread.getInfo());
    }

    @Override
    public void onWriteCallbackNotCompleted(Request request, Throwable failure, ThreadInfo writeThread) {
        violations.add(request + ": a write never ended: " + writeThread.getInfo());
    }

    @Override
    public void onWriteCallbackBlocked(
            Request request, Throwable failure, ThreadInfo writeThread, ThreadInfo callbackThread) {
        violations.add(request + ": blocks when a write has ended: " + callbackThread.getInfo());
    }
}
