package io.talosgateway.loadgen.request;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

import io.talosgateway.wire.message.format.WriteOnlyTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Keeps what a Thrift protocol writes before and after a binary value, and leaves out that value itself: it need not be copied.
 * Only the first value that is written as a buffer is left out. For one thread.
 */
final class SplitTransport extends WriteOnlyTransport {

    private final ByteArrayOutputStream before = new ByteArrayOutputStream();
    private final ByteArrayOutputStream after = new ByteArrayOutputStream();
    private boolean cut;

    SplitTransport() throws TTransportException {}

    @Override
    public void write(byte[] bytes, int offset, int length) {
        (cut ? after : before).write(bytes, offset, length);
    }

    @Override
    public int write(ByteBuffer value) {
        int length = value.remaining();
        if (cut) {
            byte[] bytes = new byte[length];
            value.get(bytes);
            after.writeBytes(bytes);
        }
        cut = true;
        return length;
    }

    byte[] before() {
        return before.toByteArray();
    }

    byte[] after() {
        return after.toByteArray();
    }
}
