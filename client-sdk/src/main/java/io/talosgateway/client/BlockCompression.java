package io.talosgateway.client;

import io.talosgateway.wire.message.format.Compression;

/** How the messages of a put are compressed, together. */
public enum BlockCompression {
    NONE(Compression.NONE),
    /** What the Talos SDKs use. */
    SNAPPY(Compression.SNAPPY),
    GZIP(Compression.GZIP);

    private final Compression compression;

    BlockCompression(Compression compression) {
        this.compression = compression;
    }

    Compression compression() {
        return compression;
    }
}
