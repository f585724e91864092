package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectReader;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.GzipStream;
import org.jspecify.annotations.Nullable;

/** Reads the messages of a put from its body: JSON, NDJSON or one raw message, maybe compressed with gzip. Stateless. */
final class PutBody {

    private static final String OCTET_STREAM = "application/octet-stream";

    private PutBody() {}

    /**
     * The messages, one at least.
     *
     * @param rawKey key of a raw message
     * @throws GatewayException if the body is not what its headers say, or a limit is exceeded
     */
    static List<Message> read(Exchange exchange, ByteSlice received, @Nullable String rawKey, MessageLimits limits) {
        ByteSlice body = decoded(exchange, received, limits);
        int maxBytes = limits.maxMessageSize().toBytesInt();
        String type = mediaType(exchange.header("Content-Type"));
        if (rawKey != null && !type.equals(OCTET_STREAM)) {
            throw RestCall.malformed("The query parameter key is for a raw message (" + OCTET_STREAM
                    + "); in JSON every message has its own.");
        }
        List<Message> messages = switch (type) {
            case Json.CONTENT_TYPE -> json(exchange, body, limits);
            case Json.NDJSON, "application/ndjson", "application/jsonl" -> ndjson(exchange, body, limits);
            case OCTET_STREAM -> List.of(MessageJson.raw(rawKey, body, maxBytes));
            default ->
                throw new GatewayException(
                        ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                        "The Content-Type '" + type + "' is not supported; use application/json, application/x-ndjson "
                                + "or application/octet-stream.");
        };
        if (messages.isEmpty()) {
            throw new GatewayException(ErrorCode.INVALID_MESSAGE, "The put holds no message.");
        }
        return messages;
    }

    /** The type without its parameters, in lower case; empty if there is none. */
    static String mediaType(@Nullable String header) {
        String type = header == null ? "" : header;
        int semicolon = type.indexOf(';');
        return (semicolon < 0 ? type : type.substring(0, semicolon)).trim().toLowerCase(Locale.ROOT);
    }

    /** A small body may hold a lot: what comes out is limited like what comes in, and counted like it. */
    private static ByteSlice decoded(Exchange exchange, ByteSlice received, MessageLimits limits) {
        String encoding = exchange.header("Content-Encoding");
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return received;
        }
        if (!encoding.equalsIgnoreCase("gzip")) {
            throw new GatewayException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Encoding '" + encoding + "' is not supported; use gzip or none.");
        }
        int maxBytes = limits.maxBodySize().toBytesInt();
        try (GzipStream in = new GzipStream(received)) {
            byte[] bytes = new byte[0];
            int length = 0;
            while (true) {
                if (length == bytes.length) {
                    if (length == maxBytes && in.read() >= 0) {
                        throw new GatewayException(
                                ErrorCode.REQUEST_TOO_LARGE,
                                "The body holds more than " + maxBytes
                                        + " bytes when decompressed; put fewer messages at once.");
                    }
                    int larger = (int) Math.min(maxBytes, Math.max(2L * received.length() + 64, 2L * length));
                    exchange.reserveBytes((long) larger - length);
                    bytes = Arrays.copyOf(bytes, larger);
                }
                int read = in.read(bytes, length, bytes.length - length);
                if (read <= 0) {
                    return new ByteSlice(bytes, 0, length);
                }
                length += read;
            }
        } catch (IOException e) {
            throw RestCall.malformed("The body is not valid gzip, or not all of it is there.");
        }
    }

    private static List<Message> json(Exchange exchange, ByteSlice body, MessageLimits limits) {
        // The messages, and the block that is made of them.
        exchange.reserveBytes(2L * body.length());
        List<Message> messages = Json.read(PutJson.reader(limits), body, PutJson.MessagesJson.class, "The put")
                .messages();
        if (messages == null) {
            throw RestCall.malformed("The put needs a list 'messages'.");
        }
        return messages;
    }

    private static List<Message> ndjson(Exchange exchange, ByteSlice body, MessageLimits limits) {
        exchange.reserveBytes(2L * body.length());
        return lines(body, limits);
    }

    static List<Message> lines(ByteSlice body, MessageLimits limits) {
        ObjectReader reader = PutJson.reader(limits);
        int maxBytes = limits.maxMessageSize().toBytesInt();
        List<Message> read = new ArrayList<>();
        int lineStart = 0;
        for (int index = 0; index <= body.length(); index++) {
            if (index == body.length() || body.byteAt(index) == '\n') {
                ByteSlice line = body.slice(lineStart, index - lineStart);
                if (!isBlank(line)) {
                    int number = read.size();
                    if (number == limits.maxMessagesPerPut()) {
                        throw PutJson.tooManyMessages(limits);
                    }
                    read.add(Json.read(reader, line, MessageJson.class, "Message " + number)
                            .toMessage(number, maxBytes));
                }
                lineStart = index + 1;
            }
        }
        return read;
    }

    private static boolean isBlank(ByteSlice line) {
        for (int index = 0; index < line.length(); index++) {
            if (line.byteAt(index) != ' ' && line.byteAt(index) != '\r' && line.byteAt(index) != '\t') {
                return false;
            }
        }
        return true;
    }
}
