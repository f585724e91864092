package io.talosgateway.wire.message.format;

import org.apache.thrift.TConfiguration;
import org.apache.thrift.transport.TEndpointTransport;
import org.apache.thrift.transport.TTransportException;

/** A transport that a Thrift protocol writes into memory with; there is nothing to open, to read or to close. */
public abstract class WriteOnlyTransport extends TEndpointTransport {

    protected WriteOnlyTransport() throws TTransportException {
        super(new TConfiguration());
    }

    @Override
    public final int read(byte[] bytes, int offset, int length) {
        throw new UnsupportedOperationException("this transport is written to");
    }

    @Override
    public final boolean isOpen() {
        return true;
    }

    @Override
    public final void open() {}

    @Override
    public final void close() {}
}
