package io.talosgateway.rest.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

import io.talosgateway.scheduler.NanoClock;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * A connector whose connections take turns: after an answer, a connection is read again only when the selector has selected it. Jetty reads a
 * connection as long as there are bytes, so that a client that sends its next request quickly is served before all others that wait.
 *
 * <p>If the handler of the server does not block, the selector's thread reads and serves what it has selected, without waking another one, and goes on
 * watching the connection while its request is served. Handshakes of TLS, which take long, are for the other threads.
 */
final class FairConnector extends ServerConnector {

    private static final int ACCEPTORS = 1;

    private final NanoClock clock;

    /** @param selectors how many threads of the server's pool select connections */
    FairConnector(Server server, int selectors, NanoClock clock, ConnectionFactory... factories) {
        super(server, ACCEPTORS, selectors, factories);
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
        SocketChannelEndPoint endPoint = new FairEndPoint(channel, selector, key);
        endPoint.setIdleTimeout(getIdleTimeout());
        return endPoint;
    }

    private final class FairEndPoint extends SocketChannelEndPoint {

        /** It was written to, and not selected since. */
        private volatile boolean hadItsTurn;

        private volatile long selectedAtNanos;
        /** The selector looks for what there is to read, and need not be asked to. */
        private volatile boolean watched;

        FairEndPoint(SocketChannel channel, ManagedSelector selector, SelectionKey key) {
            super(channel, selector, key, FairConnector.this.getScheduler());
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
            InvocationType invocationType = invocationType();
            // In this order: whoever asks meanwhile either asks the selector, or is seen here.
            watched = false;
            Runnable task = super.onSelected();
            if (invocationType == InvocationType.NON_BLOCKING && isFillInterested()) {
                super.needsFillInterest();
                watched = true;
            }
            return task == null ? null : Invocable.from(invocationType, task);
        }

        @Override
        protected void needsFillInterest() {
            if (!watched) {
                super.needsFillInterest();
            }
        }

        /** Jetty asks the callback of a connection, which says that it blocks if another thread than Jetty's has ended the last request. */
        private InvocationType invocationType() {
            return mayShakeHands() ? InvocationType.BLOCKING : getServer().getInvocationType();
        }

        /** Whether it speaks TLS and has read no request yet. */
        private boolean mayShakeHands() {
            return getConnection() instanceof SslConnection tls
                    && tls.getSslEndPoint().getConnection().getMessagesIn() == 0;
        }
    }
}
