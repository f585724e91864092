package io.talosgateway.rest.http.rest;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.fetch.FetchResult;
import io.talosgateway.rest.http.Exchange.Answer;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.UndecodableBlockException;
import org.eclipse.jetty.http.HttpField;
import org.jspecify.annotations.Nullable;

/** Answers of a get: JSON, NDJSON or one raw message. Opens the blocks, whoever wrote them. Stateless. */
final class GetAnswers {

    private static final String OCTET_STREAM = "application/octet-stream";
    /** Most bytes that the blocks of one answer may become when they are opened. */
    private static final int MAX_DECODED_BYTES = 64 << 20;

    /** In percent-encoded UTF-8 a character may take 9 bytes. */
    private static final int MAX_KEY_IN_HEADER = 512;

    private GetAnswers() {}

    /** What the client wants. */
    enum Form {
        JSON,
        LINES,
        RAW
    }

    record MessagesJson(
            String topic,
            int partition,
            List<MessageJson.Shown> messages,
            long nextOffset,
            long logStartOffset,
            @Nullable Long logEndOffset) {}

    private record Numbered(long offset, Message message) {}

    /** @param nextOffset where to go on */
    private record Opened(List<Numbered> messages, long nextOffset) {}

    static Form form(@Nullable String accept) {
        if (accept == null || accept.contains("*/*") || accept.contains(Json.CONTENT_TYPE)) {
            return Form.JSON;
        }
        if (accept.contains("ndjson") || accept.contains("jsonl")) {
            return Form.LINES;
        }
        if (accept.contains(OCTET_STREAM)) {
            return Form.RAW;
        }
        throw new GatewayException(
                ErrorCode.NOT_ACCEPTABLE,
                "Messages come as application/json, application/x-ndjson or, one of them, application/octet-stream, not as '"
                        + accept + "'.");
    }

    static Answer answer(String topic, int partition, FetchResult result, int maxMessages, Form form) {
        Opened opened = open(result, maxMessages);
        List<Numbered> messages = opened.messages;
        long nextOffset = opened.nextOffset;
        List<HttpField> headers = new ArrayList<>(List.of(
                new HttpField("Talos-Next-Offset", Long.toString(nextOffset)),
                new HttpField("Talos-Log-Start-Offset", Long.toString(result.logStartOffset()))));
        if (result.knowsEnd()) {
            headers.add(new HttpField("Talos-Log-End-Offset", Long.toString(result.logEndOffset())));
        }
        return switch (form) {
            case JSON ->
                Answer.of(
                                200,
                                Json.CONTENT_TYPE,
                                Json.write(new MessagesJson(
                                        topic,
                                        partition,
                                        messages.stream()
                                                .map(m -> MessageJson.shown(m.offset, m.message))
                                                .toList(),
                                        nextOffset,
                                        result.logStartOffset(),
                                        result.knowsEnd() ? result.logEndOffset() : null)))
                        .withHeaders(headers);
            case LINES -> Answer.of(200, Json.NDJSON, lines(messages)).withHeaders(headers);
            case RAW -> raw(messages, headers);
        };
    }

    private static ByteSlice lines(List<Numbered> messages) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (Numbered message : messages) {
            ByteSlice line = Json.write(MessageJson.shown(message.offset, message.message));
            lines.write(line.array(), line.offset(), line.length());
            lines.write('\n');
        }
        return new ByteSlice(lines.toByteArray());
    }

    private static Answer raw(List<Numbered> messages, List<HttpField> headers) {
        if (messages.isEmpty()) {
            return Answer.of(204, OCTET_STREAM, ByteSlice.EMPTY).withHeaders(headers);
        }
        Numbered message = messages.get(0);
        List<HttpField> all = new ArrayList<>(headers);
        all.add(new HttpField("Talos-Offset", Long.toString(message.offset)));
        String key = message.message.key();
        if (key != null) {
            if (key.length() > MAX_KEY_IN_HEADER) {
                throw new GatewayException(
                        ErrorCode.NOT_ACCEPTABLE,
                        "The message at offset " + message.offset + " has a key of " + key.length()
                                + " characters, too long for the header Talos-Key; read it as JSON.");
            }
            all.add(new HttpField(
                    "Talos-Key", java.net.URLEncoder.encode(key, java.nio.charset.StandardCharsets.UTF_8)));
        }
        return Answer.of(200, OCTET_STREAM, message.message.payload()).withHeaders(all);
    }

    /** The messages from the offset asked for on: blocks are whole, answers need not be. */
    private static Opened open(FetchResult result, int maxMessages) {
        List<Numbered> messages = new ArrayList<>();
        int budget = MAX_DECODED_BYTES;
        long nextOffset = result.fromOffset();
        for (StoredBlock stored : result.blocks()) {
            List<Message> ofBlock;
            try {
                ofBlock = MessageDecoder.decode(stored, Math.max(0, budget));
            } catch (UndecodableBlockException e) {
                if (messages.isEmpty()) {
                    throw unreadable(stored, e);
                }
                break;
            }
            long offset = stored.startOffset();
            for (Message message : ofBlock) {
                // Whatever the block really holds, its offsets are what its putter said.
                if (offset >= result.fromOffset() && offset < stored.endOffset()) {
                    if (messages.size() == maxMessages) {
                        return new Opened(messages, offset);
                    }
                    messages.add(new Numbered(offset, message));
                    budget -= message.payload().length();
                }
                offset++;
            }
            nextOffset = stored.endOffset();
            if (budget <= 0) {
                break;
            }
        }
        return new Opened(messages, nextOffset);
    }

    private static GatewayException unreadable(StoredBlock stored, UndecodableBlockException reason) {
        return new GatewayException(
                ErrorCode.NOT_ACCEPTABLE,
                "The messages from offset " + stored.startOffset() + " to " + (stored.endOffset() - 1)
                        + " cannot be shown as JSON (" + reason.getMessage()
                        + "); read them with a Talos SDK, or go on behind them.");
    }
}
