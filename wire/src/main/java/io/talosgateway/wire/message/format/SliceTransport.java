package io.talosgateway.wire.message.format;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TTransportException;
import org.jspecify.annotations.Nullable;

/** Collects what a protocol writes, as a list of slices: payloads are referred to, not copied. For one thread. */
public final class SliceTransport extends WriteOnlyTransport {

    /** Smaller payloads are copied: a slice of its own costs more. */
    private static final int MIN_SLICE_BYTES = 2048;

    private final List<ByteSlice> slices = new ArrayList<>();
    private byte[] buffer = new byte[512];
    private int start;
    private int end;
    private @Nullable ByteSlice expected;

    public SliceTransport() throws TTransportException {}

    /** Writes a binary value through {@code out}, which writes to this transport. */
    public void writeBinary(TProtocol out, ByteSlice value) throws TException {
        expected = value.length() >= MIN_SLICE_BYTES ? value : null;
        out.writeBinary(value.toByteBufferWithoutArrayOffset());
        expected = null;
    }

    /** Everything written, in order. */
    public List<ByteSlice> slices() {
        cut();
        return slices;
    }

    private void cut() {
        if (end > start) {
            slices.add(new ByteSlice(buffer, start, end - start));
            start = end;
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        ByteSlice payload = expected;
        if (payload != null && payload.length() == length) {
            cut();
            slices.add(payload);
            return;
        }
        if (length > buffer.length - end) {
            cut();
            buffer = new byte[Math.max(2 * buffer.length, length)];
            start = 0;
            end = 0;
        }
        System.arraycopy(bytes, offset, buffer, end, length);
        end += length;
    }

    @Override
    public int write(ByteBuffer source) {
        int length = source.remaining();
        ByteSlice payload = expected;
        if (payload != null && payload.length() == length) {
            cut();
            slices.add(payload);
            source.position(source.limit());
            return length;
        }
        byte[] bytes = new byte[length];
        source.get(bytes);
        write(bytes, 0, length);
        return length;
    }
}
