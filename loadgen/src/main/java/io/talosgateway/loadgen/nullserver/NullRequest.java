package io.talosgateway.loadgen.nullserver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.talosgateway.loadgen.http.RequestBytes;

/**
 * A request as the null server takes it, from its bytes as they come: its first line is kept, its body counted. One object
 * takes the requests of a connection one after another. For one thread.
 */
final class NullRequest {

    private static final int MAX_LINE_BYTES = 8 * 1024;
    private static final byte[] CONTENT_LENGTH = RequestBytes.ascii("content-length:");

    private final byte[] line = new byte[MAX_LINE_BYTES];
    private final byte[] first = new byte[MAX_LINE_BYTES];
    private int lineLength;
    private int firstLength;
    private boolean inBody;
    private long remaining;

    /** Prepares for the next request. */
    void reset() {
        lineLength = 0;
        firstLength = 0;
        inBody = false;
        remaining = 0;
    }

    /**
     * Takes bytes, up to the end of the request.
     *
     * @return true if the request is complete
     * @throws IOException if this is no request, or one that the null server cannot take
     */
    boolean take(ByteBuffer in) throws IOException {
        while (!inBody && in.hasRemaining()) {
            byte next = in.get();
            if (next == '\n') {
                endLine();
            } else if (lineLength == MAX_LINE_BYTES) {
                throw new IOException("a line of more than " + MAX_LINE_BYTES + " bytes");
            } else if (next != '\r') {
                line[lineLength++] = next;
            }
        }
        int taken = (int) Math.min(remaining, in.remaining());
        in.position(in.position() + taken);
        remaining -= taken;
        return inBody && remaining == 0;
    }

    private void endLine() throws IOException {
        if (firstLength == 0) {
            System.arraycopy(line, 0, first, 0, lineLength);
            firstLength = lineLength;
        } else if (lineLength == 0) {
            inBody = true;
        } else if (isContentLength()) {
            remaining = number();
        }
        lineLength = 0;
    }

    private boolean isContentLength() {
        if (lineLength < CONTENT_LENGTH.length) {
            return false;
        }
        for (int index = 0; index < CONTENT_LENGTH.length; index++) {
            if ((line[index] | 0x20) != (CONTENT_LENGTH[index] | 0x20)) {
                return false;
            }
        }
        return true;
    }

    private long number() throws IOException {
        String value = new String(
                        line, CONTENT_LENGTH.length, lineLength - CONTENT_LENGTH.length, StandardCharsets.US_ASCII)
                .strip();
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IOException("no number in '" + value + "'", e);
        }
    }

    boolean isPost() {
        return first[0] == 'P';
    }

    /** {@code GET /path HTTP/1.1}. */
    String firstLine() {
        return new String(first, 0, firstLength, StandardCharsets.US_ASCII);
    }
}
