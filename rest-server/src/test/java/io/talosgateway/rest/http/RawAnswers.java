package io.talosgateway.rest.http;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** Reads the answers on a connection and takes nothing but what RFC 9112 permits a server to send. For one thread. */
final class RawAnswers {

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.1 ([1-5]\\d\\d) [ -~]*");
    private static final Pattern FIELD = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([ -~]*)");
    private static final int MOST_BYTES = 1 << 20;

    /**
     * One answer.
     *
     * @param fields by their names in lower case
     */
    record Answer(int status, Map<String, String> fields, ByteSlice body) {

        String text() {
            return new String(body.toByteArray(), StandardCharsets.ISO_8859_1);
        }

        boolean endsTheConnection() {
            return fields.getOrDefault("connection", "").equalsIgnoreCase("close");
        }
    }

    /** Bytes that are no answer. */
    static final class MalformedAnswer extends AssertionError {
        private static final long serialVersionUID = 1;

        MalformedAnswer(String what) {
            super(what);
        }
    }

    private final InputStream in;

    RawAnswers(InputStream in) {
        this.in = new BufferedInputStream(in);
    }

    /**
     * The next answer; null at the end of the connection.
     *
     * @param toHead whether the request was one of method HEAD
     */
    @Nullable
    Answer next(boolean toHead) throws IOException {
        String line = line(true);
        if (line == null) {
            return null;
        }
        Matcher status = STATUS_LINE.matcher(line);
        if (!status.matches()) {
            throw new MalformedAnswer("no status line: " + line);
        }
        int code = Integer.parseInt(status.group(1));
        Map<String, String> fields = new HashMap<>();
        for (line = line(false); !line.isEmpty(); line = line(false)) {
            Matcher field = FIELD.matcher(line);
            if (!field.matches()) {
                throw new MalformedAnswer("no field: " + line);
            }
            String name = field.group(1).toLowerCase(Locale.ROOT);
            String before = fields.put(name, field.group(2));
            if (before != null && (name.equals("content-length") || name.equals("transfer-encoding"))) {
                throw new MalformedAnswer("twice: " + line);
            }
        }
        return new Answer(code, fields, new ByteSlice(body(code, fields, toHead)));
    }

    private byte[] body(int code, Map<String, String> fields, boolean toHead) throws IOException {
        String length = fields.get("content-length");
        String encoding = fields.get("transfer-encoding");
        if (length != null && encoding != null) {
            throw new MalformedAnswer("a length and an encoding: " + fields);
        }
        if (toHead || code < 200 || code == 204 || code == 304) {
            return new byte[0];
        }
        if (length != null) {
            int bytes = Integer.parseInt(length);
            byte[] body = bytes > MOST_BYTES ? new byte[0] : in.readNBytes(bytes);
            if (body.length < bytes) {
                throw new MalformedAnswer("a body of " + body.length + " bytes instead of " + bytes);
            }
            return body;
        }
        throw new MalformedAnswer("neither a length nor an encoding that the gateway uses: " + code + " " + fields);
    }

    /** A line without its end; null at the end of the connection if that is permitted here. */
    private @Nullable String line(boolean mayEnd) throws IOException {
        StringBuilder line = new StringBuilder();
        while (true) {
            int next = in.read();
            if (next < 0 && mayEnd && line.isEmpty()) {
                return null;
            }
            if (next < 0 || line.length() > 16 * 1024) {
                throw new MalformedAnswer("a line that does not end: " + line);
            }
            if (next == '\n') {
                int last = line.length() - 1;
                if (last < 0 || line.charAt(last) != '\r') {
                    throw new MalformedAnswer("a line that ends without CR: " + line);
                }
                return line.substring(0, last);
            }
            line.append((char) next);
        }
    }
}
