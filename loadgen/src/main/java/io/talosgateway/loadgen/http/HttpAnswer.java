package io.talosgateway.loadgen.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.talosgateway.wire.message.ByteSlice;

/**
 * An answer of an HTTP/1.1 server, taken from its bytes as they come, in whatever pieces. Keeps what the load generator
 * looks at and counts the rest: the body of an answer that is not an error is passed over, unless bodies are asked for.
 *
 * <p>One object takes the answers of a connection one after another, {@link #reset} between them, and allocates nothing for
 * an answer that is not an error. For one thread.
 */
public final class HttpAnswer {

    private static final int MAX_LINE_BYTES = 8 * 1024;
    private static final int MAX_ERROR_BYTES = 4 * 1024;
    private static final int MAX_HEADERS = 200;

    private static final byte[] CONTENT_LENGTH = lowerCase("content-length");
    private static final byte[] TRANSFER_ENCODING = lowerCase("transfer-encoding");
    private static final byte[] CONNECTION = lowerCase("connection");
    private static final byte[] NEXT_OFFSET = lowerCase("talos-next-offset");
    private static final byte[] RETRY_AFTER = lowerCase("retry-after");

    /** What comes next. */
    private enum Step {
        STATUS_LINE,
        HEADERS,
        BODY,
        CHUNK_SIZE,
        CHUNK,
        CHUNK_END,
        TRAILERS,
        BODY_UNTIL_CLOSED,
        COMPLETE
    }

    private final byte[] line = new byte[MAX_LINE_BYTES];
    private final boolean keepsBodies;
    private final int maxKeptBytes;
    private byte[] kept = new byte[MAX_ERROR_BYTES];
    private int lineLength;
    private int keptLength;

    private Step step = Step.STATUS_LINE;
    private int headers;
    private int status;
    private boolean keepsAlive;
    private boolean chunked;
    private long contentLength;
    private long nextOffset;
    private long retryAfterSeconds;
    /** Bytes that the body, or the chunk, still has. */
    private long remaining;

    private long bodyBytes;

    /** Keeps the beginning of an error's body. */
    public HttpAnswer() {
        this(false, MAX_ERROR_BYTES);
    }

    private HttpAnswer(boolean keepsBodies, int maxKeptBytes) {
        this.keepsBodies = keepsBodies;
        this.maxKeptBytes = maxKeptBytes;
        reset();
    }

    /** Keeps all bodies, errors or not; a larger one fails the exchange. */
    public static HttpAnswer keepingBodies(int maxBytes) {
        return new HttpAnswer(true, maxBytes);
    }

    private static byte[] lowerCase(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    /** Prepares for the next answer. */
    public void reset() {
        step = Step.STATUS_LINE;
        lineLength = 0;
        keptLength = 0;
        headers = 0;
        status = 0;
        keepsAlive = true;
        chunked = false;
        contentLength = -1;
        nextOffset = -1;
        retryAfterSeconds = -1;
        remaining = 0;
        bodyBytes = 0;
    }

    /**
     * Takes bytes, up to the end of the answer.
     *
     * @return true if the answer is complete
     * @throws IOException if this is not an answer of an HTTP/1.1 server
     */
    public boolean take(ByteBuffer in) throws IOException {
        while (step != Step.COMPLETE && in.hasRemaining()) {
            switch (step) {
                case BODY, CHUNK, BODY_UNTIL_CLOSED -> takeBody(in);
                default -> {
                    if (takeLine(in)) {
                        endLine();
                        lineLength = 0;
                    }
                }
            }
        }
        return step == Step.COMPLETE;
    }

    /** Says that the server has closed the connection; true if that ends the answer as it should. */
    public boolean takeEnd() {
        if (step == Step.BODY_UNTIL_CLOSED) {
            step = Step.COMPLETE;
        }
        return step == Step.COMPLETE;
    }

    private boolean takeLine(ByteBuffer in) throws IOException {
        while (in.hasRemaining()) {
            byte next = in.get();
            if (next == '\n') {
                if (lineLength > 0 && line[lineLength - 1] == '\r') {
                    lineLength--;
                }
                return true;
            }
            if (lineLength == MAX_LINE_BYTES) {
                throw malformed("a line of more than " + MAX_LINE_BYTES + " bytes");
            }
            line[lineLength++] = next;
        }
        return false;
    }

    private void endLine() throws IOException {
        switch (step) {
            case STATUS_LINE -> takeStatus();
            case HEADERS -> takeHeader();
            case CHUNK_SIZE -> takeChunkSize();
            case CHUNK_END -> step = Step.CHUNK_SIZE;
            case TRAILERS -> step = lineLength == 0 ? Step.COMPLETE : Step.TRAILERS;
            default -> throw new AssertionError(step);
        }
    }

    /** {@code HTTP/1.1 200 OK}. */
    private void takeStatus() throws IOException {
        boolean valid = lineLength >= 12 && line[0] == 'H' && line[4] == '/' && line[5] == '1' && line[8] == ' ';
        if (!valid) {
            throw malformed("'" + text(line, Math.min(lineLength, 80)) + "' instead of a status line of HTTP/1.1");
        }
        keepsAlive = line[7] != '0';
        status = (int) number(9, 12, 10);
        step = Step.HEADERS;
    }

    private void takeHeader() throws IOException {
        if (lineLength == 0) {
            beginBody();
            return;
        }
        if (++headers > MAX_HEADERS) {
            throw malformed("more than " + MAX_HEADERS + " headers");
        }
        if (isNamed(CONTENT_LENGTH)) {
            contentLength = number(valueStart(CONTENT_LENGTH), lineLength, 10);
        } else if (isNamed(NEXT_OFFSET)) {
            nextOffset = number(valueStart(NEXT_OFFSET), lineLength, 10);
        } else if (isNamed(RETRY_AFTER)) {
            int at = valueStart(RETRY_AFTER);
            // Or a date, which no gateway sends.
            boolean seconds = at < lineLength && line[at] >= '0' && line[at] <= '9';
            retryAfterSeconds = seconds ? number(at, lineLength, 10) : -1;
        } else if (isNamed(TRANSFER_ENCODING)) {
            chunked = true;
        } else if (isNamed(CONNECTION)) {
            // keep-alive or close.
            int at = valueStart(CONNECTION);
            keepsAlive = at < lineLength && (line[at] | 0x20) != 'c';
        }
    }

    private boolean isNamed(byte[] name) {
        if (lineLength <= name.length || line[name.length] != ':') {
            return false;
        }
        for (int index = 0; index < name.length; index++) {
            byte letter = line[index];
            if ((letter >= 'A' && letter <= 'Z' ? letter | 0x20 : letter) != name[index]) {
                return false;
            }
        }
        return true;
    }

    private int valueStart(byte[] name) {
        int at = name.length + 1;
        while (at < lineLength && (line[at] == ' ' || line[at] == '\t')) {
            at++;
        }
        return at;
    }

    /** The digits of the line from an index on; spaces may follow. */
    private long number(int from, int to, int radix) throws IOException {
        long number = 0;
        int at = from;
        for (; at < to && line[at] != ' ' && line[at] != '\t'; at++) {
            int digit = Character.digit(line[at], radix);
            if (digit < 0 || number > Long.MAX_VALUE / radix - 1) {
                throw malformed("no number in '" + text(line, Math.min(lineLength, 80)) + "'");
            }
            number = number * radix + digit;
        }
        if (at == from) {
            throw malformed("no number in '" + text(line, Math.min(lineLength, 80)) + "'");
        }
        return number;
    }

    private void beginBody() {
        if (status / 100 == 1) {
            // An interim answer; the real one follows.
            reset();
        } else if (status == 204 || status == 304) {
            step = Step.COMPLETE;
        } else if (chunked) {
            step = Step.CHUNK_SIZE;
        } else if (contentLength >= 0) {
            remaining = contentLength;
            step = remaining == 0 ? Step.COMPLETE : Step.BODY;
        } else {
            keepsAlive = false;
            remaining = Long.MAX_VALUE;
            step = Step.BODY_UNTIL_CLOSED;
        }
    }

    private void takeChunkSize() throws IOException {
        int end = 0;
        while (end < lineLength && line[end] != ';') {
            end++;
        }
        remaining = number(0, end, 16);
        step = remaining == 0 ? Step.TRAILERS : Step.CHUNK;
    }

    private void takeBody(ByteBuffer in) throws IOException {
        int taken = (int) Math.min(remaining, in.remaining());
        if (keepsBodies && taken > maxKeptBytes - keptLength) {
            throw new IOException("The server sent a body of more than " + maxKeptBytes + " bytes");
        }
        if ((keepsBodies || status >= 400) && keptLength < maxKeptBytes) {
            keep(in, Math.min(taken, maxKeptBytes - keptLength));
        }
        in.position(in.position() + taken);
        bodyBytes += taken;
        remaining -= taken;
        if (remaining == 0) {
            step = step == Step.CHUNK ? Step.CHUNK_END : Step.COMPLETE;
        }
    }

    private void keep(ByteBuffer in, int more) {
        if (keptLength + more > kept.length) {
            kept = Arrays.copyOf(kept, Math.min(maxKeptBytes, Math.max(2 * kept.length, keptLength + more)));
        }
        in.get(in.position(), kept, keptLength, more);
        keptLength += more;
    }

    private static IOException malformed(String what) {
        return new IOException("The server does not speak HTTP/1.1: it sent " + what);
    }

    private static String text(byte[] bytes, int length) {
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    public int status() {
        return status;
    }

    /** Whether the connection can be used for another request. */
    public boolean keepsAlive() {
        return keepsAlive;
    }

    /** Bytes of the body, without what chunks add. */
    public long bodyBytes() {
        return bodyBytes;
    }

    /** The offset to go on reading at; -1 if the answer does not say. */
    public long nextOffset() {
        return nextOffset;
    }

    /** What the header {@code Retry-After} says; -1 if there is none. */
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** The body, as far as it is kept. */
    public byte[] body() {
        return Arrays.copyOf(kept, keptLength);
    }

    /** The body, as far as it is kept; valid until the next answer begins. */
    public ByteSlice keptBody() {
        return new ByteSlice(kept, 0, keptLength);
    }

    /** The body of an error, as far as it is kept; empty for other answers. */
    public String errorBody() {
        return text(kept, keptLength);
    }
}
