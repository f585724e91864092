package io.talosgateway.rest.forwarding.thrift;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** Reads frames from a socket that carries one answer at a time. For one thread. */
final class FrameReader {

    private int maxFrame;
    private final ByteBuffer length = ByteBuffer.allocate(HostFrame.LENGTH_BYTES);
    private @Nullable ByteBuffer body;

    /** @param maxFrame longest frame that is read, bytes */
    FrameReader(int maxFrame) {
        this.maxFrame = maxFrame;
    }

    /** Changes the longest frame; between frames. */
    void allow(int newMaxFrame) {
        maxFrame = newMaxFrame;
    }

    /**
     * Reads more of the frame.
     *
     * @param chunk for the transfer, empty
     * @return the frame without its length once it is complete, else null
     * @throws EOFException if the other side has closed the connection
     * @throws IOException if the connection breaks, or what comes is not a frame
     */
    @Nullable
    ByteSlice read(ReadableByteChannel socket, ByteBuffer chunk) throws IOException {
        if (socket.read(chunk) < 0) {
            throw new EOFException("the host closed the connection");
        }
        chunk.flip();
        while (length.hasRemaining() && chunk.hasRemaining()) {
            length.put(chunk.get());
        }
        if (length.hasRemaining()) {
            return null;
        }
        ByteBuffer into = body;
        if (into == null) {
            into = ByteBuffer.allocate(checkedLength());
            body = into;
        }
        if (chunk.remaining() > into.remaining()) {
            throw new IOException("the host sent more than an answer");
        }
        into.put(chunk);
        if (into.hasRemaining()) {
            return null;
        }
        body = null;
        length.clear();
        return new ByteSlice(into.array());
    }

    private int checkedLength() throws IOException {
        int size = length.getInt(0);
        if (size < 1 || size > maxFrame) {
            throw new IOException("the host sent a frame of " + size + " bytes; 1 to " + maxFrame + " are allowed");
        }
        return size;
    }
}
