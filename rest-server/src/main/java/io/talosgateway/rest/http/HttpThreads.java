package io.talosgateway.rest.http;

import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The threads of an HTTP server.
 *
 * <p>When a request was answered by a thread that is not Jetty's, Jetty has one of these look whether the connection's next
 * request is there. On busy cores a client that was just answered is often quicker than that look: its requests are served one
 * after another, past all connections that wait for the selector, which then gets fewer and fewer of the cores. Here the
 * connection goes back to the selector, behind those that wait, and a look that is mostly in vain is saved.
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
