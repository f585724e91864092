package io.talosgateway.rest.hostprotocol;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/*
 * libthrift's server calls a connection only if the selector says that its socket is readable. So no decrypted byte may be left
 * in here when a read returns: nobody would ask for it. That is why a record is read from the socket to its last byte and no
 * further, and why a record never holds more than the reader has asked for:
 *
 *   record   | length of frame 1 | frame 1, up to 16 KiB | more of frame 1 | length of frame 2 | ...
 *   reader     asks for 4 bytes    asks for the frame                        asks for 4 bytes
 *
 * What waits, waits in the socket, as without TLS.
 *
 * The server writes a frame until all of it counts as written, and asks for nothing after that. So the last byte counts only
 * when the socket has taken everything.
 */
/**
 * Frames over TLS on a non-blocking socket. A frame's length has a record of its own, and no record holds bytes of two frames.
 * For one thread.
 */
public final class TlsChannel implements ByteChannel {

    private static final int HEADER_BYTES = 5;
    private static final int LENGTH_AT = 3;
    private static final int MAX_RECORD_BYTES = (1 << 14) + 256;
    /** What encryption adds to a record at least: its kind and a tag. */
    private static final int MIN_ADDED_BYTES = 17;
    /** Records for one call of {@link #read} or {@link #shake}: then it is another connection's turn. */
    private static final int MAX_RECORDS = 16;

    private final SocketChannel socket;
    private final SSLEngine engine;
    private final Buffers shared;
    /** The record that is being read. */
    private final ByteBuffer in = ByteBuffer.allocate(HEADER_BYTES + MAX_RECORD_BYTES);
    /** What the socket has not taken; null if it has taken everything. */
    private @Nullable ByteBuffer unsent;
    /** Bytes at the end of what was to be written that were encrypted and do not count as written yet: 0 or 1. */
    private int heldBack;

    private boolean established;
    // Of the frame that is being written.
    private int lengthLeft = HostFrame.LENGTH_BYTES;
    private int length;
    private int bodyLeft;

    /** The other side does not speak TLS. */
    public static final class NotTlsException extends IOException {

        private static final long serialVersionUID = 1L;

        NotTlsException() {
            super("it does not speak TLS; do all hosts have peer.tls.certificate?");
        }
    }

    /** What the connections of one thread share; nothing is in there between calls. */
    public static final class Buffers {

        private final ByteBuffer plain = ByteBuffer.allocate(1 << 15);
        private final ByteBuffer records = ByteBuffer.allocate(1 << 16);
    }

    /** @param engine which has not begun */
    public TlsChannel(SocketChannel socket, SSLEngine engine, Buffers shared) throws SSLException {
        this.socket = socket;
        this.engine = engine;
        this.shared = shared;
        engine.beginHandshake();
    }

    /** Whether both sides have shown their certificates; only then, bytes can be read and written. */
    public boolean isEstablished() {
        return established;
    }

    /**
     * Goes on with TLS's handshake as far as it goes without waiting.
     *
     * @return 0 once it is established, else the operation that the socket is to be ready for
     * @throws NotTlsException if what comes is not TLS
     * @throws SSLException if a certificate is refused
     */
    public int shake() throws IOException {
        for (int records = 0; records < MAX_RECORDS; records++) {
            settle();
            if (!flush()) {
                return SelectionKey.OP_WRITE;
            }
            if (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING) {
                established = true;
                return 0;
            }
            int count = readRecord(Integer.MAX_VALUE);
            if (count < 0) {
                throw new EOFException("the host closed the connection during the TLS handshake");
            }
            if (count == 0) {
                return SelectionKey.OP_READ;
            }
            if (unwrap().hasRemaining()) {
                throw new SSLException("data before the end of the TLS handshake");
            }
        }
        return SelectionKey.OP_READ;
    }

    /** SHA-256 of the certificate of the side that has accepted the connection: each side signs it, so that nobody is between them. */
    public ByteSlice binding() throws IOException {
        SSLSession session = engine.getSession();
        Certificate[] chain =
                engine.getUseClientMode() ? session.getPeerCertificates() : session.getLocalCertificates();
        try {
            return new ByteSlice(MessageDigest.getInstance("SHA-256").digest(chain[0].getEncoded()));
        } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
            throw new IOException("the certificate cannot be digested", e);
        }
    }

    /** Reads whole records; the first must fit, whatever its length. */
    @Override
    public int read(ByteBuffer target) throws IOException {
        int start = target.position();
        for (int records = 0; records < MAX_RECORDS && target.hasRemaining(); records++) {
            int count = readRecord(target.position() == start ? Integer.MAX_VALUE : target.remaining());
            if (count < 0 && target.position() == start) {
                return -1;
            }
            if (count <= 0) {
                break;
            }
            ByteBuffer plain = unwrap();
            if (plain.remaining() > target.remaining()) {
                throw new NotTlsException();
            }
            target.put(plain);
            settle();
            flush();
            if (engine.isInboundDone()) {
                return target.position() == start ? -1 : target.position() - start;
            }
        }
        return target.position() - start;
    }

    /**
     * Reads one record, or more of it.
     *
     * @param room for the bytes in it; if they may be more, they stay in the socket
     * @return 1 if the record is complete, 0 if not, -1 at the end of the connection
     */
    private int readRecord(int room) throws IOException {
        if (in.position() < HEADER_BYTES) {
            in.limit(HEADER_BYTES);
            int count = socket.read(in);
            if (count < 0) {
                return -1;
            }
            if (in.hasRemaining()) {
                return 0;
            }
            checkHeader();
        }
        int bytes = in.getShort(LENGTH_AT);
        if (in.position() == HEADER_BYTES && bytes - MIN_ADDED_BYTES > room) {
            return 0;
        }
        in.limit(HEADER_BYTES + bytes);
        int count = socket.read(in);
        if (count < 0) {
            return -1;
        }
        return in.hasRemaining() ? 0 : 1;
    }

    private void checkHeader() throws NotTlsException {
        boolean known = in.get(0) >= 20 && in.get(0) <= 23 && in.get(1) == 3;
        int bytes = in.getShort(LENGTH_AT);
        if (!known || bytes < 1 || bytes > MAX_RECORD_BYTES) {
            throw new NotTlsException();
        }
    }

    /** What the complete record holds. */
    private ByteBuffer unwrap() throws IOException {
        in.flip();
        ByteBuffer plain = shared.plain.clear();
        try {
            SSLEngineResult result = engine.unwrap(in, plain);
            boolean taken = !in.hasRemaining();
            if (!taken || result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                throw new SSLException("a TLS record was not taken: " + result);
            }
        } catch (SSLException e) {
            sayFarewell();
            throw e;
        } catch (RuntimeException e) {
            // A mistake of the engine ends this connection, and not the thread that serves all.
            throw new SSLException("TLS failed in an unexpected way", e);
        } finally {
            in.clear();
        }
        return plain.flip();
    }

    /** Computes and writes what the engine has to, until it waits for the other side. */
    private void settle() throws IOException {
        try {
            while (true) {
                switch (engine.getHandshakeStatus()) {
                    case NEED_TASK -> {
                        for (Runnable task = engine.getDelegatedTask();
                                task != null;
                                task = engine.getDelegatedTask()) {
                            task.run();
                        }
                    }
                    case NEED_WRAP -> {
                        ByteBuffer records = shared.records.clear();
                        SSLEngineResult result = engine.wrap(ByteBuffer.allocate(0), records);
                        send(records.flip());
                        if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                            return;
                        }
                    }
                    default -> {
                        return;
                    }
                }
            }
        } catch (SSLException e) {
            sayFarewell();
            throw e;
        } catch (RuntimeException e) {
            // A mistake of the engine ends this connection, and not the thread that serves all.
            throw new SSLException("TLS failed in an unexpected way", e);
        }
    }

    /** Tells the other side why, if the socket takes that now. */
    private void sayFarewell() {
        try {
            ByteBuffer records = shared.records.clear();
            while (engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NEED_WRAP
                    && engine.wrap(ByteBuffer.allocate(0), records).bytesProduced() > 0) {
                // The alert, perhaps behind something else.
            }
            send(records.flip());
        } catch (IOException e) {
            // The reason why it ends is known already.
        }
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        if (!flush()) {
            return 0;
        }
        int start = source.position();
        source.position(start + heldBack);
        heldBack = 0;
        int recordBytes = engine.getSession().getPacketBufferSize();
        while (source.hasRemaining()) {
            ByteBuffer records = shared.records.clear();
            while (source.hasRemaining() && records.remaining() >= recordBytes) {
                wrap(source, records);
            }
            if (!send(records.flip())) {
                heldBack = 1;
                source.position(source.position() - 1);
                break;
            }
        }
        return source.position() - start;
    }

    /** Encrypts a record, of one frame, and of its length or what is behind it. */
    private void wrap(ByteBuffer source, ByteBuffer records) throws IOException {
        int limit = source.limit();
        int start = source.position();
        source.limit(start + Math.min(limit - start, lengthLeft > 0 ? lengthLeft : bodyLeft));
        SSLEngineResult result = engine.wrap(source, records);
        source.limit(limit);
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new SSLException("TLS took nothing more: " + result);
        }
        for (int index = start; index < source.position(); index++) {
            if (lengthLeft > 0) {
                length = (length << Byte.SIZE) | (source.get(index) & 0xff);
                lengthLeft--;
                bodyLeft = length;
            } else {
                bodyLeft -= source.position() - index;
                break;
            }
        }
        if (lengthLeft == 0 && bodyLeft == 0) {
            lengthLeft = HostFrame.LENGTH_BYTES;
            length = 0;
        }
    }

    /** Writes records, and keeps what the socket does not take; false if there is such. */
    private boolean send(ByteBuffer records) throws IOException {
        if (flush()) {
            socket.write(records);
        }
        if (!records.hasRemaining()) {
            return unsent == null;
        }
        ByteBuffer before = unsent;
        ByteBuffer kept = ByteBuffer.allocate((before == null ? 0 : before.remaining()) + records.remaining());
        if (before != null) {
            kept.put(before);
        }
        unsent = kept.put(records).flip();
        return false;
    }

    private boolean flush() throws IOException {
        ByteBuffer left = unsent;
        if (left == null) {
            return true;
        }
        socket.write(left);
        if (left.hasRemaining()) {
            return false;
        }
        unsent = null;
        return true;
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
