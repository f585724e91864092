package io.talosgateway.rest.http;

import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The threads of an HTTP server.
 *
 * <p>When another thread than Jetty's has answered a request, Jetty has one of these threads read the connection for its next request.
 * On busy cores a client often sends that request before the thread reads. Then the requests of this client are served one
 * after another, before all connections that wait for the selector, and the selector gets less and less processor time. Here the
 * connection goes back to the selector, behind those that wait. This also saves a read that mostly finds nothing.
 */
public final class HttpThreads extends QueuedThreadPool {

    /** So many threads at most. */
    public HttpThreads(String name, int most) {
        super(most);
        setName(name);
    }

    @Override
    public void execute(Runnable job) {
        if (job instanceof HttpConnection connection && connection.isRequestBufferEmpty()) {
            // If the client went while it was answered, the connection may be with the selector already.
            if (!connection.isFillInterested()) {
                connection.fillInterested();
            }
        } else {
            super.execute(job);
        }
    }
}
