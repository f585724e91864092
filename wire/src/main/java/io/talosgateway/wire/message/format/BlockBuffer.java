package io.talosgateway.wire.message.format;

import java.nio.ByteBuffer;

import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.transport.TTransportException;

/**
 * Where a block's messages are written, plain values and Thrift structs in turn. Copies every byte once if its capacity was
 * guessed well. For one thread.
 */
final class BlockBuffer extends WriteOnlyTransport {

    private ByteBuffer buffer;

    BlockBuffer(int capacity) throws TTransportException {
        buffer = ByteBuffer.allocate(capacity);
    }

    /** The buffer to write {@code bytes} bytes to. */
    ByteBuffer room(int bytes) {
        if (buffer.remaining() < bytes) {
            int capacity = Math.max(Math.addExact(buffer.position(), bytes), buffer.capacity() / 2 * 3);
            buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
        }
        return buffer;
    }

    int length() {
        return buffer.position();
    }

    void setInt(int position, int value) {
        buffer.putInt(position, value);
    }

    /** What was written; nothing may be written any more. */
    ByteSlice written() {
        return new ByteSlice(buffer.array(), 0, buffer.position());
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        room(length).put(bytes, offset, length);
    }

    @Override
    public int write(ByteBuffer source) {
        int length = source.remaining();
        room(length).put(source.duplicate());
        return length;
    }
}
