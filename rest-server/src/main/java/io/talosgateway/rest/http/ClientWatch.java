package io.talosgateway.rest.http;

import java.io.IOException;
import java.nio.ByteBuffer;

import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a client ends its connection while its request waits. Jetty does not: it reads the connection again only when the
 * request is answered. A byte that comes instead is the next request's, and is put where Jetty looks for it; then nothing is
 * watched any more. A client that ends its half of the connection only counts as gone.
 *
 * <p>Jetty reads when this does not, and the other way round: {@link #stop} must be called before the answer is begun.
 * Safe for use by any thread.
 */
final class ClientWatch implements Callback {

    private enum State {
        NEW,
        WATCHING,
        STOPPED
    }

    private final Request request;
    private final Runnable gone;
    private State state = State.NEW;
    private @Nullable HttpConnection connection;
    private @Nullable AbstractEndPoint endPoint;

    /** @param gone called once at most, by a thread of the selector: must not block */
    ClientWatch(Request request, Runnable gone) {
        this.request = request;
        this.gone = gone;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    /** Begins to watch, unless it was stopped. To be called when the body has been read. */
    synchronized void start() {
        Connection of = request.getConnectionMetaData().getConnection();
        if (state == State.NEW
                && of instanceof HttpConnection http
                && http.isRequestBufferEmpty()
                && http.getEndPoint() instanceof AbstractEndPoint point) {
            connection = http;
            endPoint = point;
            state = point.tryFillInterested(this) ? State.WATCHING : State.STOPPED;
        }
    }

    /** Leaves the connection to Jetty. */
    synchronized void stop() {
        boolean watching = state == State.WATCHING;
        state = State.STOPPED;
        AbstractEndPoint point = endPoint;
        if (watching && point != null) {
            // Calls this back, which does nothing now, and is how an interest in reading is withdrawn.
            point.getFillInterest().fillable();
        }
    }

    @Override
    public void succeeded() {
        if (isEnded()) {
            gone.run();
        }
    }

    private synchronized boolean isEnded() {
        AbstractEndPoint point = endPoint;
        HttpConnection http = connection;
        if (state != State.WATCHING || point == null || http == null) {
            return false;
        }
        state = State.STOPPED;
        ByteBuffer next = BufferUtil.allocate(1);
        try {
            int filled = point.fill(next);
            if (filled == 0) {
                state = point.tryFillInterested(this) ? State.WATCHING : State.STOPPED;
            } else if (filled > 0) {
                http.onUpgradeTo(next);
            }
            return filled < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Override
    public void failed(Throwable cause) {
        synchronized (this) {
            if (state != State.WATCHING) {
                return;
            }
            state = State.STOPPED;
        }
        gone.run();
    }
}
