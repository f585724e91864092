package io.talosgateway.rest.forwarding.thrift;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.List;

import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.wire.message.ByteSlice;

/** Writes frames to a socket, as far as it takes them. For one thread. */
final class FrameWriter {

    private List<ByteSlice> slices = List.of();
    private int slice;
    private int position;
    private boolean begun;

    /** Begins a frame; the one before must be complete. */
    void begin(HostFrame frame) {
        slices = frame.slices();
        slice = 0;
        position = 0;
        begun = false;
    }

    /**
     * Writes more of the frame.
     *
     * @param chunk for the transfer, empty
     * @return true when all of it is handed to the socket
     */
    boolean write(WritableByteChannel socket, ByteBuffer chunk) throws IOException {
        fill(chunk);
        chunk.flip();
        int written = socket.write(chunk);
        begun |= written > 0;
        skip(written);
        if (slice < slices.size()) {
            return false;
        }
        slices = List.of(); // payloads are not kept until the next frame
        slice = 0;
        return true;
    }

    /** Whether the socket has taken any byte of the frame. */
    boolean begun() {
        return begun;
    }

    private void fill(ByteBuffer chunk) {
        int from = position;
        for (int index = slice; index < slices.size() && chunk.hasRemaining(); index++) {
            ByteSlice next = slices.get(index);
            int count = Math.min(next.length() - from, chunk.remaining());
            chunk.put(next.array(), next.offset() + from, count);
            from = 0;
        }
    }

    private void skip(int count) {
        int left = count;
        while (slice < slices.size() && left >= slices.get(slice).length() - position) {
            left -= slices.get(slice).length() - position;
            position = 0;
            slice++;
        }
        position += left;
    }
}
