package io.talosgateway.rest.peer;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

import javax.net.ssl.SSLException;

import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.hostprotocol.TlsChannel;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TNonblockingTransport;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * libthrift's server reads and writes through this transport, on its thread: four bytes, then as many as they say, then the
 * answer. What it would only log, in two lines with a stack trace for each connection, is found out here first and told
 * once: wrong lengths, broken connections. It learns of the end by a read or write that returns -1.
 *
 * To end a connection from another thread, both directions are shut down instead of closing the socket: the server then
 * finds it readable or writable, reads -1, and gives back what it has counted for it. After a close it would not look at it
 * again, and the bytes of a half read frame would be counted for ever.
 */
/** A connection of another host, or of a stranger. For the thread of the server, but for what is marked otherwise. */
final class PeerConnection extends TNonblockingTransport {

    private static final Logger log = LoggerFactory.getLogger(PeerConnection.class);
    /** The socket copies through a buffer as long as what it is asked for: not of a whole frame. */
    private static final int CHUNK_BYTES = 128 * 1024;

    private static final int END = -1;

    private final SocketChannel socket;
    /** The socket, or TLS on it. */
    private final ByteChannel wire;

    private final Connections connections;
    private final @Nullable SocketAddress from;
    private final OwnerHandshake handshake;
    private final Limit handshakeLimit = new Limit(CloseReason.SILENT);
    private final Limit transferLimit = new Limit(CloseReason.TOO_SLOW);
    private boolean receivedAnything;
    private boolean inFrame;
    private boolean closed;
    private boolean endsWhenAnswered;
    private volatile boolean ended;
    private volatile AdmissionController.@Nullable Permit permit;

    /** The limits of one connection; the way from what libthrift passes on back to the connection. */
    static final class Configuration extends TConfiguration {

        private @Nullable PeerConnection connection;

        private Configuration(int maxMessage) {
            super(maxMessage, HostFrame.MAX_HANDSHAKE_BYTES, TConfiguration.DEFAULT_RECURSION_DEPTH);
        }

        PeerConnection connection() {
            PeerConnection owner = connection;
            if (owner == null) {
                throw new IllegalStateException("used before the connection is made");
            }
            return owner;
        }
    }

    private PeerConnection(
            Configuration configuration,
            SocketChannel socket,
            ByteChannel wire,
            Connections connections,
            OwnerHandshake handshake)
            throws TTransportException, IOException {
        super(configuration);
        this.socket = socket;
        this.wire = wire;
        this.connections = connections;
        this.handshake = handshake;
        this.from = socket.getRemoteAddress();
    }

    /** Takes over an accepted socket; closes it at once if there are too many. */
    static PeerConnection accepted(SocketChannel socket, Connections connections, OwnerHandshake handshake)
            throws TTransportException, IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        Configuration configuration =
                new Configuration(connections.config().maxFrame().toBytesInt() + HostFrame.LENGTH_BYTES);
        PeerConnection connection =
                new PeerConnection(configuration, socket, connections.wire(socket), connections, handshake);
        configuration.connection = connection;
        if (connections.opened()) {
            connection.handshakeLimit.begin(connections.config().handshakeTimeout());
        } else {
            connection.end(CloseReason.TOO_MANY);
        }
        return connection;
    }

    OwnerHandshake handshake() {
        return handshake;
    }

    /** Lets the other side send requests: it has proved that it belongs to the cluster. */
    void proved() {
        connections.timer().cancel(handshakeLimit);
        connections.proved();
        setMaxFrameSize(connections.config().maxFrame().toBytesInt());
    }

    /** What the request under way was given; released when the answer is written, or the connection ends. Any thread. */
    void hold(AdmissionController.Permit given) {
        permit = given;
    }

    /** Tells why and ends the connection; the server closes it soon. Any thread. */
    void end(CloseReason reason) {
        if (!ended) {
            ended = true;
            connections.tell(from, reason);
        }
        shutDown();
    }

    /** Tells why, and ends the connection once the answer that says so is written. */
    void endWhenAnswered(CloseReason reason) {
        endsWhenAnswered = true;
        connections.tell(from, reason);
    }

    private void shutDown() {
        try {
            socket.shutdownInput();
            socket.shutdownOutput();
        } catch (IOException e) {
            log.debug("A connection had ended already", e);
        }
    }

    @Override
    public int read(ByteBuffer target) {
        if (ended) {
            return END;
        }
        if (wire instanceof TlsChannel tls && !tls.isEstablished() && !shake(tls)) {
            return ended ? END : 0;
        }
        int count = transfer(target, wire::read);
        if (count < 0) {
            if (inFrame || (receivedAnything && !handshake.isComplete())) {
                end(CloseReason.BROKEN_OFF);
            }
            return END;
        }
        receivedAnything |= count > 0;
        return checkFrame(target) ? count : END;
    }

    /** The server reads the length into a buffer of its own, then the frame into one that begins with the length. */
    private boolean checkFrame(ByteBuffer target) {
        if (target.capacity() == HostFrame.LENGTH_BYTES) {
            if (target.hasRemaining()) {
                inFrame = target.position() > 0;
                limitTransfer(inFrame);
                return true;
            }
            limitTransfer(
                    false); // begins again with the frame: until there is room for it, nobody is slow but this host
            int length = target.getInt(0);
            if (length < 1 || length > getMaxFrameSize()) {
                end(handshake.isComplete() ? CloseReason.TOO_LARGE : CloseReason.NOT_A_HOST);
                return false;
            }
            inFrame = true;
            return true;
        }
        inFrame = target.hasRemaining();
        limitTransfer(inFrame);
        return true;
    }

    @Override
    public int write(ByteBuffer source) {
        if (ended) {
            return END;
        }
        int count = transfer(source, wire::write);
        if (count < 0) {
            return END;
        }
        limitTransfer(source.hasRemaining());
        if (!source.hasRemaining()) {
            release();
            if (endsWhenAnswered) {
                ended = true;
                shutDown();
            }
        }
        return count;
    }

    private interface Transfer {
        int transfer(ByteBuffer buffer) throws IOException;
    }

    private int transfer(ByteBuffer buffer, Transfer transfer) {
        int limit = buffer.limit();
        buffer.limit(Math.min(limit, buffer.position() + CHUNK_BYTES));
        try {
            return transfer.transfer(buffer);
        } catch (IOException e) {
            broken(e);
            return END;
        } finally {
            buffer.limit(limit);
        }
    }

    /** Goes on with TLS's handshake; whether it is done. If it failed, the connection has ended. */
    private boolean shake(TlsChannel tls) {
        try {
            int operation = tls.shake();
            if (operation == 0) {
                handshake.over(tls.binding());
                return true;
            }
            if (operation == SelectionKey.OP_WRITE) {
                // The server would not hear when it can be written; the few bytes of a handshake find room.
                end(CloseReason.TOO_SLOW);
            }
        } catch (IOException e) {
            broken(e);
            ended = true;
        }
        return false;
    }

    private void broken(IOException reason) {
        log.debug("The connection from {} broke", from, reason);
        if (reason instanceof TlsChannel.NotTlsException) {
            end(CloseReason.NO_TLS);
        } else if (reason instanceof SSLException) {
            end(CloseReason.TLS_FAILED);
        }
    }

    private void limitTransfer(boolean underWay) {
        if (underWay) {
            transferLimit.begin(connections.config().transferTimeout());
        } else {
            transferLimit.cancel();
        }
    }

    private void release() {
        AdmissionController.Permit held = permit;
        if (held != null) {
            permit = null;
            held.release();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        connections.timer().cancel(handshakeLimit);
        transferLimit.cancel();
        release();
        connections.closed(!handshake.isComplete());
        try {
            socket.close();
        } catch (IOException e) {
            log.debug("Closing a connection was not clean", e);
        }
    }

    @Override
    public SelectionKey registerSelector(Selector selector, int interests) throws IOException {
        return socket.register(selector, interests);
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void open() {
        throw new UnsupportedOperationException("it was accepted");
    }

    @Override
    public boolean startConnect() {
        throw new UnsupportedOperationException("it was accepted");
    }

    @Override
    public boolean finishConnect() {
        throw new UnsupportedOperationException("it was accepted");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
        return read(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        throw new UnsupportedOperationException("the server writes buffers");
    }

    /** Ends the connection when something takes too long. */
    private final class Limit extends Timeout {

        private final CloseReason reason;
        private boolean begun;

        Limit(CloseReason reason) {
            this.reason = reason;
        }

        void begin(Duration duration) {
            if (!begun) {
                begun = true;
                connections.timer().schedule(this, Deadline.after(connections.clock(), duration));
            }
        }

        void cancel() {
            if (begun) {
                begun = false;
                connections.timer().cancel(this);
            }
        }

        @Override
        protected void deadlinePassed() {
            end(reason);
        }
    }
}
