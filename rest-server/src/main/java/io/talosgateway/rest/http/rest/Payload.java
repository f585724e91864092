package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** What can be said of the bytes of a message, and how many bytes of JSON they take. */
record Payload(ByteSlice bytes) {

    /** The bytes as text, or null if they are not valid UTF-8. */
    @Nullable
    String text() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    boolean isText() {
        return text() != null;
    }

    /** False if escapes make it more than twice as long: an answer would be six times as large as what is stored. */
    boolean isShortAsText() {
        return textBytes() <= 16 + 2L * bytes.length();
    }

    /** Most bytes of JSON that it takes as text. */
    long textBytes() {
        long count = 0;
        for (int index = 0; index < bytes.length(); index++) {
            byte next = bytes.byteAt(index);
            boolean control = next >= 0 && next < ' ';
            count += control ? 6 : next == '"' || next == '\\' ? 2 : 1;
        }
        return count;
    }

    long base64Bytes() {
        return 4L * ((bytes.length() + 2) / 3);
    }

    /** Whether it is one JSON value that {@link #writeJson} can write. */
    boolean isJson() {
        // With these bytes Jackson would take it for UTF-16 or UTF-32. JSON in UTF-8 has none of them.
        byte first = bytes.length() == 0 ? 0 : bytes.byteAt(0);
        if (first == 0
                || first == (byte) 0xfe
                || first == (byte) 0xff
                || (bytes.length() > 1 && bytes.byteAt(1) == 0)) {
            return false;
        }
        try (JsonParser parser = parser();
                JsonGenerator nowhere = Json.MAPPER.createGenerator(OutputStream.nullOutputStream())) {
            if (parser.nextToken() == null) {
                return false;
            }
            copy(parser, nowhere);
            return parser.nextToken() == null;
        } catch (IOException e) {
            return false;
        }
    }

    /** Writes it as JSON without white space, and no longer than it is; to be called if it {@link #isJson}. */
    void writeJson(JsonGenerator out) throws IOException {
        try (JsonParser parser = parser()) {
            parser.nextToken();
            copy(parser, out);
        }
    }

    private JsonParser parser() throws IOException {
        return Json.MAPPER.createParser(bytes.array(), bytes.offset(), bytes.length());
    }

    /**
     * Copies the value that the parser is at. Digits of numbers, names that come twice, and the order of names stay; white
     * space goes, and of escapes those that JSON can do without.
     */
    static void copy(JsonParser in, JsonGenerator out) throws IOException {
        int depth = 0;
        for (JsonToken token = in.currentToken(); token != null; token = in.nextToken()) {
            if (token.isNumeric()) {
                // As it was sent: digits that a double does not have are kept.
                out.writeNumber(in.getText());
            } else {
                out.copyCurrentEvent(in);
            }
            depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
            if (depth == 0) {
                return;
            }
        }
    }
}
