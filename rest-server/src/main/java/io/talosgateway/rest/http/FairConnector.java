package io.talosgateway.rest.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connector whose connections take turns: one that was written to is not read again before the selector has come to it. Jetty goes on
 * to read a connection as long as it finds something, so that a client that is quicker than a look into its socket is served past all others
 * that wait.
 */
final class FairConnector extends ServerConnector {

    private static final int SELECTORS = 1;

    FairConnector(Server server, ConnectionFactory... factories) {
        super(server, SELECTORS, -1, factories);
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        SocketChannelEndPoint endPoint = new FairEndPoint(channel, selector, key, getScheduler());
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    private static final class FairEndPoint extends SocketChannelEndPoint {

        /** It was written to, and not selected since. */
        private volatile boolean hadItsTurn;

        FairEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key, Scheduler scheduler) {
            super(channel, selector, key, scheduler);
        }

        @Override
        public boolean flush(ByteBuffer... buffers) throws IOException {
            hadItsTurn = true;
            return super.flush(buffers);
        }

        /** Finds nothing while others wait for their turn. Whoever finds nothing asks the selector. */
        @Override
        public int fill(ByteBuffer buffer) throws IOException {
            return hadItsTurn ? 0 : super.fill(buffer);
        }

        @Override
        public @Nullable Runnable onSelected() {
            hadItsTurn = false;
            return super.onSelected();
        }
    }
}
