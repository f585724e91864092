package io.talosgateway.client;

import io.talosgateway.wire.thrift.ThriftFormat;

/** How Thrift messages are written. */
public enum ThriftProtocol {
    /** What the Talos SDKs use; the smallest. */
    COMPACT(ThriftFormat.COMPACT),
    BINARY(ThriftFormat.BINARY),
    JSON(ThriftFormat.JSON);

    private final ThriftFormat format;

    ThriftProtocol(ThriftFormat format) {
        this.format = format;
    }

    ThriftFormat format() {
        return format;
    }
}
