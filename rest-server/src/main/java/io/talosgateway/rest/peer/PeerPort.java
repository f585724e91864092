package io.talosgateway.rest.peer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Supplier;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import org.apache.thrift.transport.TNonblockingServerTransport;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The port at which other hosts connect. */
final class PeerPort extends TNonblockingServerTransport {

    private static final Logger log = LoggerFactory.getLogger(PeerPort.class);
    /** How long nothing is accepted after that failed, for want of file descriptors for example. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final int BACKLOG = 256;

    private final ServerSocketChannel channel;
    private final Connections connections;
    private final Supplier<OwnerHandshake> handshakes;
    private @Nullable SelectionKey key;

    private PeerPort(ServerSocketChannel channel, Connections connections, Supplier<OwnerHandshake> handshakes) {
        this.channel = channel;
        this.connections = connections;
        this.handshakes = handshakes;
    }

    /**
     * Takes the port; connections wait until the server accepts them.
     *
     * @throws IOException with a sentence for the operator if it cannot
     */
    static PeerPort bind(Connections connections, Supplier<OwnerHandshake> handshakes) throws IOException {
        InetSocketAddress address = new InetSocketAddress(
                connections.config().host(), connections.config().port());
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.socket().setReuseAddress(true);
            channel.bind(address, BACKLOG);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw new IOException(
                    "The peer port " + connections.config().host() + ":"
                            + connections.config().port() + " cannot be opened: " + e.getMessage(),
                    e);
        }
        return new PeerPort(channel, connections, handshakes);
    }

    int port() {
        return channel.socket().getLocalPort();
    }

    @Override
    public void listen() {}

    /** Never returns null, which would end libthrift's server. */
    @Override
    public TNonblockingTransport accept() throws TTransportException {
        SocketChannel socket;
        try {
            socket = channel.accept();
        } catch (IOException e) {
            pause();
            throw new TTransportException("accepting a connection failed", e);
        }
        if (socket == null) {
            throw new TTransportException("the connection has ended already");
        }
        try {
            return PeerConnection.accepted(socket, connections, handshakes.get());
        } catch (IOException e) {
            try {
                socket.close();
            } catch (IOException closing) {
                e.addSuppressed(closing);
            }
            throw new TTransportException("the connection has ended already", e);
        }
    }

    private void pause() {
        SelectionKey accepting = key;
        if (accepting == null) {
            return;
        }
        accepting.interestOps(0);
        connections
                .timer()
                .schedule(
                        new Timeout() {
                            @Override
                            protected void deadlinePassed() {
                                if (accepting.isValid()) {
                                    accepting.interestOps(SelectionKey.OP_ACCEPT);
                                    accepting.selector().wakeup();
                                }
                            }
                        },
                        Deadline.after(connections.clock(), PAUSE));
    }

    @Override
    public void registerSelector(Selector selector) {
        try {
            key = channel.register(selector, SelectionKey.OP_ACCEPT);
        } catch (ClosedChannelException e) {
            throw new IllegalStateException("the port is closed", e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            log.debug("Closing the port was not clean", e);
        }
    }
}
