package io.talosgateway.rest.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A connector whose connections take turns: after an answer, a connection is read again only when the selector has selected it. Jetty reads a
 * connection as long as there are bytes, so that a client that sends its next request quickly is served before all others that wait.
 */
final class FairConnector extends ServerConnector {

    private static final int ACCEPTORS = 1;
    /** Jetty chooses: half of the processors at most, one for each 16 threads, one at least. */
    private static final int SELECTORS = -1;

    private final NanoClock clock;

    FairConnector(Server server, NanoClock clock, ConnectionFactory... factories) {
        super(server, ACCEPTORS, SELECTORS, factories);
        this.clock = clock;
    }

    /**
     * When the request arrived that this connection has just read: when the selector found its last bytes, which may have waited for a
     * thread since. If it came together with the request before it, its turn is now.
     */
    static long arrivedAtNanos(EndPoint endPoint, NanoClock clock) {
        EndPoint plain = endPoint instanceof EndPoint.Wrapper wrapper ? wrapper.unwrap() : endPoint;
        return plain instanceof FairEndPoint fair && !fair.hadItsTurn ? fair.selectedAtNanos : clock.nanoTime();
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        SocketChannelEndPoint endPoint = new FairEndPoint(channel, selector, key, getScheduler(), clock);
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    private static final class FairEndPoint extends SocketChannelEndPoint {

        private final NanoClock clock;
        /** It was written to, and not selected since. */
        private volatile boolean hadItsTurn;

        private volatile long selectedAtNanos;

        FairEndPoint(
                SocketChannel channel,
                ManagedSelector selector,
                SelectionKey key,
                Scheduler scheduler,
                NanoClock clock) {
            super(channel, selector, key, scheduler);
            this.clock = clock;
            this.selectedAtNanos = clock.nanoTime();
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
            selectedAtNanos = clock.nanoTime();
            hadItsTurn = false;
            return super.onSelected();
        }
    }
}
