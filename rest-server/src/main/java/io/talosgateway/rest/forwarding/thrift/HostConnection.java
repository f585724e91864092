package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.hostprotocol.TlsChannel;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to another host: connects, proves and has the other side prove, then carries one call at a time until it is
 * closed. An answer to a call that nobody waits for any more never comes: the connection is closed with the call. For the
 * thread of the loop only.
 */
final class HostConnection implements IoLoop.Channel {

    private static final Logger log = LoggerFactory.getLogger(HostConnection.class);

    /** Hears what becomes of a connection. */
    interface Listener {

        /** Both sides have proved; calls can be sent. */
        void proved(HostConnection connection);

        /**
         * The answer to its call came, which has yet to be handed to the call; calls can be sent again.
         *
         * @param in positioned behind the header of the answer
         * @param exceptional whether the header says that no method took the call
         */
        void answered(HostConnection connection, Call<?> call, TProtocol in, boolean exceptional);

        /**
         * It is closed.
         *
         * @param call what was on it; null if nothing was
         * @param sent whether any byte of the call was handed to the socket
         */
        void closed(HostConnection connection, String reason, @Nullable Call<?> call, boolean sent);
    }

    private final LinkParts parts;
    private final Listener listener;
    private final CallerHandshake handshake;
    private final FrameWriter writer = new FrameWriter();
    private final FrameReader reader;
    private final Timeout handshakeLimit = new Timeout() {
        @Override
        protected void deadlinePassed() {
            parts.loop().execute(() -> {
                if (!handshake.isComplete()) {
                    close("it does not answer");
                }
            });
        }
    };

    private @Nullable SocketChannel socket;
    /** The socket, or TLS on it. */
    private @Nullable ByteChannel wire;

    private @Nullable SelectionKey key;
    private @Nullable Call<?> call;
    private int sequence;
    private boolean closed;
    private long idleSinceNanos;

    HostConnection(LinkParts parts, Peer owner, Listener listener) {
        this.parts = parts;
        this.listener = listener;
        this.handshake = new CallerHandshake(parts.self(), parts.incarnation().getAsLong(), owner, parts.random());
        this.reader = new FrameReader(HostFrame.MAX_HANDSHAKE_BYTES);
    }

    /** Begins to connect; the listener hears of it before or after this returns. */
    void open(PeerAddress address) {
        parts.timer()
                .schedule(
                        handshakeLimit,
                        Deadline.after(parts.clock(), parts.config().connectTimeout()));
        address.resolve()
                .whenComplete((found, failure) -> parts.loop().execute(() -> {
                    if (closed) {
                        return;
                    }
                    if (failure == null) {
                        connect(found);
                    } else {
                        close(String.valueOf(failure.getMessage()));
                    }
                }));
    }

    private void connect(InetSocketAddress address) {
        try {
            SocketChannel opened = SocketChannel.open();
            socket = opened;
            wire = wire(opened);
            opened.configureBlocking(false);
            opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
            opened.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            key = parts.loop().register(opened, SelectionKey.OP_CONNECT, this);
            if (opened.connect(address)) {
                connected();
            }
        } catch (IOException | RuntimeException e) {
            close(text(e));
        }
    }

    private ByteChannel wire(SocketChannel opened) throws IOException {
        Supplier<SSLEngine> tls = parts.tls();
        return tls == null
                ? opened
                : new TlsChannel(opened, tls.get(), parts.loop().tlsBuffers());
    }

    /** Whether both sides have proved, be it closed by now or not. */
    boolean hasProved() {
        return handshake.isComplete();
    }

    /** When it was last used, on the clock. */
    long idleSinceNanos() {
        return idleSinceNanos;
    }

    /** Sends a call, which must be claimed; the connection must be ready and without one. */
    void send(Call<?> next, HostFrame frame) {
        call = next;
        next.connection = this;
        writer.begin(frame);
        try {
            write();
        } catch (IOException e) {
            close(text(e));
        }
    }

    /** The sequence id of the next call. */
    int nextSequence() {
        sequence++;
        return sequence;
    }

    @Override
    public void ready() {
        SelectionKey selected = key;
        SocketChannel channel = socket;
        ByteChannel carrier = wire;
        if (closed || selected == null || channel == null || carrier == null || !selected.isValid()) {
            return;
        }
        try {
            if (selected.isConnectable()) {
                if (channel.finishConnect()) {
                    connected();
                }
            } else if (wire instanceof TlsChannel tls && !tls.isEstablished()) {
                shake(tls);
            } else if (selected.isWritable()) {
                write();
            } else if (selected.isReadable()) {
                ByteSlice frame = reader.read(carrier, parts.loop().chunk());
                if (frame != null) {
                    received(frame);
                }
            }
        } catch (IOException | TException e) {
            close(text(e));
        }
    }

    private void connected() throws IOException {
        if (wire instanceof TlsChannel tls) {
            shake(tls);
        } else {
            greet();
        }
    }

    private void shake(TlsChannel tls) throws IOException {
        int operation = tls.shake();
        if (operation == 0) {
            handshake.over(tls.binding());
            greet();
        } else {
            interest(operation);
        }
    }

    private void greet() throws IOException {
        try {
            writer.begin(handshake.greet());
        } catch (TException e) {
            throw new IOException(e.getMessage(), e);
        }
        interest(SelectionKey.OP_WRITE);
    }

    private void write() throws IOException {
        ByteChannel carrier = wire;
        if (carrier != null) {
            // While a frame is under way nothing is read: the other side has nothing to say before it has read it.
            interest(writer.write(carrier, parts.loop().chunk()) ? SelectionKey.OP_READ : SelectionKey.OP_WRITE);
        }
    }

    private void interest(int operations) {
        SelectionKey selected = key;
        if (selected != null && selected.interestOps() != operations) {
            selected.interestOps(operations);
        }
    }

    private void received(ByteSlice frame) throws IOException, TException {
        if (!handshake.isComplete()) {
            HostFrame next = handshake.answered(frame);
            if (next != null) {
                writer.begin(next);
                interest(SelectionKey.OP_WRITE);
            } else {
                parts.timer().cancel(handshakeLimit);
                reader.allow(parts.config().maxFrame().toBytesInt());
                nowIdle();
                listener.proved(this);
            }
            return;
        }
        Call<?> answered = call;
        if (answered == null) {
            throw new IOException("the host answered what was not asked");
        }
        TProtocol in = HostFrame.reading(frame);
        TMessage header = in.readMessageBegin();
        boolean exceptional = header.type == TMessageType.EXCEPTION;
        if (header.seqid != sequence || !(exceptional || header.type == TMessageType.REPLY)) {
            throw new IOException("the host did not answer the call that was asked");
        }
        call = null;
        answered.connection = null;
        nowIdle();
        listener.answered(this, answered, in, exceptional);
    }

    private void nowIdle() {
        idleSinceNanos = parts.clock().nanoTime();
    }

    @Override
    public void fail(RuntimeException mistake) {
        close(text(mistake));
    }

    /** Closes it; further calls do nothing. */
    void close(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        parts.timer().cancel(handshakeLimit);
        SocketChannel channel = socket;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                log.debug("Closing a connection was not clean", e);
            }
        }
        Call<?> unanswered = call;
        call = null;
        if (unanswered != null) {
            unanswered.connection = null;
        }
        listener.closed(this, reason, unanswered, writer.begun());
    }

    private static String text(Exception failure) {
        String message = failure.getMessage();
        if (failure instanceof SSLException) {
            return "TLS with it failed (" + message
                    + "); both hosts need a certificate whose authority is in the other's peer.tls.trusted-certificates";
        }
        return message == null ? failure.getClass().getSimpleName() : message;
    }
}
