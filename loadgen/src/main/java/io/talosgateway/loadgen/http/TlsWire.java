package io.talosgateway.loadgen.http;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * TLS over a channel, by the JDK's engine. What is decrypted and not yet asked for, and what is encrypted and not yet sent, is
 * at most a record each.
 */
final class TlsWire implements Wire {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    /** Encrypted bytes that came, between its position and its limit. */
    private final ByteBuffer netIn;
    /** Encrypted bytes to send, between its position and its limit. */
    private final ByteBuffer netOut;
    /** Decrypted bytes, between its position and its limit. */
    private ByteBuffer plain;

    TlsWire(SocketChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
        int packet = engine.getSession().getPacketBufferSize();
        netIn = ByteBuffer.allocate(2 * packet).flip();
        netOut = ByteBuffer.allocate(packet).flip();
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize())
                .flip();
    }

    @Override
    public boolean handshake() throws IOException {
        if (engine.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING
                && engine.getSession().getProtocol().equals("NONE")) {
            engine.beginHandshake();
        }
        while (true) {
            if (!flush()) {
                return false;
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> wrap(new ByteBuffer[] {NOTHING});
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap()) {
                        return false;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return true;
                }
            }
        }
    }

    @Override
    public boolean wantsToWrite() {
        return netOut.hasRemaining();
    }

    @Override
    public boolean mayHaveMore() {
        return plain.hasRemaining() || netIn.hasRemaining();
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        while (!plain.hasRemaining()) {
            if (engine.isInboundDone()) {
                return -1;
            }
            try {
                if (!unwrap()) {
                    return 0;
                }
            } catch (EOFException e) {
                return -1;
            }
            // What TLS says between the lines: new keys.
            if (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING && !engine.isInboundDone()) {
                handshake();
            }
        }
        int bytes = Math.min(plain.remaining(), into.remaining());
        into.put(into.position(), plain, plain.position(), bytes);
        into.position(into.position() + bytes);
        plain.position(plain.position() + bytes);
        return bytes;
    }

    @Override
    public boolean write(ByteBuffer[] from) throws IOException {
        boolean sent = flush();
        while (sent && RequestBytes.hasMore(from)) {
            wrap(from);
            sent = flush();
        }
        return sent;
    }

    private void wrap(ByteBuffer[] from) throws SSLException {
        netOut.clear();
        try {
            SSLEngineResult result = engine.wrap(from, netOut);
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new SSLException("The server has closed the TLS connection");
            }
        } finally {
            netOut.flip();
        }
    }

    private boolean flush() throws IOException {
        if (netOut.hasRemaining()) {
            channel.write(netOut);
        }
        return !netOut.hasRemaining();
    }

    /**
     * Takes a record that came.
     *
     * @return false if it is not there yet
     * @throws EOFException if the server has closed the connection
     */
    private boolean unwrap() throws IOException {
        while (true) {
            plain.compact();
            SSLEngineResult.Status status;
            try {
                status = engine.unwrap(netIn, plain).getStatus();
            } finally {
                plain.flip();
            }
            switch (status) {
                case OK -> {
                    return true;
                }
                case CLOSED -> throw new EOFException("The server closed the connection before it had answered");
                case BUFFER_OVERFLOW ->
                    plain = ByteBuffer.allocate(
                                    plain.remaining() + engine.getSession().getApplicationBufferSize())
                            .put(plain)
                            .flip();
                case BUFFER_UNDERFLOW -> {
                    netIn.compact();
                    int read;
                    try {
                        read = channel.read(netIn);
                    } finally {
                        netIn.flip();
                    }
                    if (read < 0) {
                        throw new EOFException("The server closed the connection before it had answered");
                    }
                    if (read == 0) {
                        return false;
                    }
                }
            }
        }
    }
}
