package io.talosgateway.rest.journal.file;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Makes the checksums of damaged files right, where there is still something to make right. Stateless. */
final class Checksums {

    private Checksums() {}

    /** Of all frames, one after another as their lengths say, and of the trailer. */
    static byte[] ofFrames(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes);
        int at = 0;
        while (at >= 0 && bytes.length - at >= FrameHeader.FIXED_BYTES) {
            at = ofFrame(file, at);
        }
        int trailer = bytes.length - Trailer.BYTES;
        if (trailer >= 0 && file.getInt(trailer) == 0x54474654) {
            file.putInt(trailer + 16, FrameHeader.checksum(file, trailer, 16));
        }
        return bytes;
    }

    /** Returns where the next starts, or -1. */
    private static int ofFrame(ByteBuffer file, int at) {
        int headerLength = FrameHeader.headerLength(file.duplicate().position(at));
        if (headerLength < 0 || at + headerLength > file.limit()) {
            return -1;
        }
        int bodyAt = at + headerLength;
        int bodyLength = file.getInt(at + FrameHeader.BODY_LENGTH_AT);
        boolean whole = bodyLength >= 0 && bodyLength <= file.limit() - bodyAt;
        if (whole) {
            file.putInt(at + FrameHeader.BODY_CHECKSUM_AT, FrameHeader.checksum(file, bodyAt, bodyLength));
        }
        file.putInt(
                at + FrameHeader.CHECKSUM_AT,
                FrameHeader.checksum(file, at + FrameHeader.CHECKED_FROM, headerLength - FrameHeader.CHECKED_FROM));
        return whole ? bodyAt + bodyLength : -1;
    }

    /** The line at the end of a manifest. */
    static byte[] ofManifest(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        int endAt = text.lastIndexOf("END ");
        if (endAt < 0) {
            return bytes;
        }
        String before = text.substring(0, endAt);
        long lines = before.lines().count();
        byte[] kept = before.getBytes(StandardCharsets.UTF_8);
        int checksum = FrameHeader.checksum(ByteBuffer.wrap(kept), 0, kept.length);
        return (before + "END %d %08x%n".formatted(lines - 1, checksum)).getBytes(StandardCharsets.UTF_8);
    }

    /** Of the head and the trailer of an index file. */
    static byte[] ofIndex(byte[] bytes) {
        int trailer = bytes.length - 16;
        if (trailer < 4) {
            return bytes;
        }
        ByteBuffer file = ByteBuffer.wrap(bytes);
        long headAt = file.getLong(trailer);
        if (headAt >= 0 && headAt <= trailer) {
            file.putInt(trailer + 8, FrameHeader.checksum(file, (int) headAt, trailer - (int) headAt));
        }
        file.putInt(trailer + 12, FrameHeader.checksum(file, trailer, 12));
        return bytes;
    }
}
