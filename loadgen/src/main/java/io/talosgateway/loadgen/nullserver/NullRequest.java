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
    private String firstLine = "";
    private int lineLength;
    private boolean inBody;
    private long remaining;

    /** Prepares for the next request. */
    void reset() {
        lineLength = 0;
        firstLine = "";
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
        if (firstLine.isEmpty()) {
            firstLine = text(0);
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
            if ((line[index] | 0x20) != CONTENT_LENGTH[index]) {
                return false;
            }
        }
        return true;
    }

    private long number() throws IOException {
        String value = text(CONTENT_LENGTH.length).strip();
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IOException("no number in '" + value + "'", e);
        }
    }

    private String text(int from) {
        return new String(line, from, lineLength - from, StandardCharsets.US_ASCII);
    }

    /** {@code GET /path HTTP/1.1}. */
    String firstLine() {
        return firstLine;
    }
}
