package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #BYTES} bytes of a sealed file: where its footer frame starts. A file without it is not sealed.
 *
 * <pre>
 *  u32 "TGFT" | u32 file tag | i64 position of the footer frame | u32 CRC32C of what is before
 * </pre>
 */
record Trailer(int fileTag, long footerPosition) {

    static final int BYTES = 20;

    private static final int MAGIC = 0x54474654;
    private static final int CHECKED_BYTES = 16;

    ByteSlice encode() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putInt(MAGIC).putInt(fileTag).putLong(footerPosition);
        out.putInt(FrameHeader.checksum(out, 0, CHECKED_BYTES));
        return new ByteSlice(out.array());
    }

    /** Returns null if the bytes are not a trailer. */
    static @Nullable Trailer decode(ByteBuffer in) {
        if (in.remaining() != BYTES
                || in.getInt(in.position()) != MAGIC
                || in.getInt(in.position() + CHECKED_BYTES) != FrameHeader.checksum(in, in.position(), CHECKED_BYTES)) {
            return null;
        }
        return new Trailer(in.getInt(in.position() + 4), in.getLong(in.position() + 8));
    }
}
