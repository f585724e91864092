package io.talosgateway.wire.message.format;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

import io.talosgateway.wire.message.ByteSlice;

/**
 * What bytes hold that are compressed with gzip. Java's stream calls itself at the end of each member behind which another one is: members
 * that hold nothing would fill the stack. For one thread.
 */
public final class GzipStream extends GZIPInputStream {

    /** Nobody writes one after the other, but for a few at the end of a file. */
    private static final int MAX_EMPTY_MEMBERS = 100;

    private int depth;

    public GzipStream(ByteSlice compressed) throws IOException {
        super(new ByteArrayInputStream(compressed.array(), compressed.offset(), compressed.length()));
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        if (depth > MAX_EMPTY_MEMBERS) {
            throw new ZipException("there are too many members that hold nothing");
        }
        depth++;
        try {
            return super.read(bytes, offset, length);
        } finally {
            depth--;
        }
    }
}
