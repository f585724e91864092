package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.core.JsonGenerator;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.DecodingRoom;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.ValueForm;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.UndecodableBlockException;
import org.eclipse.jetty.http.HttpField;
import org.jspecify.annotations.Nullable;

/** Answers of a get: JSON, NDJSON or one raw message. Opens the blocks, whoever wrote them. Stateless. */
final class GetAnswers {

    private static final String OCTET_STREAM = "application/octet-stream";
    /** Most bytes of an answer. The JSON of one message of 10 MiB fits, whatever it holds. */
    static final long MAX_ANSWER_BYTES = 64 << 20;
    /** For what is around the texts of a message, and around all messages. */
    private static final int MESSAGE_OVERHEAD_BYTES = 256;

    private static final int ANSWER_OVERHEAD_BYTES = 1024;

    /** Events that are in memory for a client that does not read. */
    private static final long ENOUGH_EVENT_BYTES = 512 * 1024;

    /** In percent-encoded UTF-8 a character may take 9 bytes. */
    private static final int MAX_KEY_IN_HEADER = 512;

    private GetAnswers() {}

    /** What the client wants. */
    enum Form {
        JSON,
        LINES,
        RAW
    }

    private record Numbered(long offset, Message message) {}

    /**
     * @param nextOffset where to go on
     * @param maxBytes most bytes that the messages take in the answer
     */
    private record Opened(List<Numbered> messages, long nextOffset, long maxBytes) {}

    /** Whoever names this type wants a stream, also if he would take another one. */
    static boolean wantsEvents(@Nullable String accept) {
        return accept != null && accept.contains(EventStreams.CONTENT_TYPE);
    }

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
                "Messages come as application/json, application/x-ndjson, text/event-stream or, one of them, application/octet-stream, not as '"
                        + accept + "'.");
    }

    static Answer answer(
            Exchange exchange,
            String topic,
            int partition,
            FetchResult result,
            int maxMessages,
            Form form,
            ValueView view) {
        Opened opened = open(result, maxMessages, MAX_ANSWER_BYTES, form, view, new DecodingRoom(exchange));
        List<HttpField> headers = new ArrayList<>(List.of(
                new HttpField("Talos-Next-Offset", Long.toString(opened.nextOffset)),
                new HttpField("Talos-Log-Start-Offset", Long.toString(result.logStartOffset()))));
        if (result.knowsEnd()) {
            headers.add(new HttpField("Talos-Log-End-Offset", Long.toString(result.logEndOffset())));
        }
        if (form == Form.RAW) {
            return raw(opened.messages, headers);
        }
        exchange.reserveAnswer(opened.maxBytes);
        Json.Chunks json = new Json.Chunks();
        if (form == Form.JSON) {
            json(json, topic, partition, opened, result, view);
        } else {
            for (Numbered message : opened.messages) {
                Json.write(json, MessageJson.shown(message.offset, message.message, view));
                json.write('\n');
            }
        }
        String type = form == Form.JSON ? Json.CONTENT_TYPE : Json.NDJSON;
        return new Answer(200, type, json.slices(), headers, Answer.OK);
    }

    /** One message after another: its text is in memory twice only while it is written. */
    private static void json(
            Json.Chunks out, String topic, int partition, Opened opened, FetchResult result, ValueView view) {
        try (JsonGenerator generator = Json.MAPPER.createGenerator(out)) {
            generator.writeStartObject();
            generator.writeStringField("topic", topic);
            generator.writeNumberField("partition", partition);
            generator.writeArrayFieldStart("messages");
            for (Numbered message : opened.messages) {
                generator.writePOJO(MessageJson.shown(message.offset, message.message, view));
            }
            generator.writeEndArray();
            generator.writeNumberField("nextOffset", opened.nextOffset);
            generator.writeNumberField("logStartOffset", result.logStartOffset());
            if (result.knowsEnd()) {
                generator.writeNumberField("logEndOffset", result.logEndOffset());
            }
            generator.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException("our own answers can be written as JSON", e);
        }
    }

    private static Answer raw(List<Numbered> messages, List<HttpField> headers) {
        if (messages.isEmpty()) {
            return Answer.of(204, OCTET_STREAM, ByteSlice.EMPTY).withHeaders(headers);
        }
        Numbered message = messages.get(0);
        List<HttpField> all = new ArrayList<>(headers);
        all.add(new HttpField("Talos-Offset", Long.toString(message.offset)));
        ValueForm put = message.message.form();
        if (put != null) {
            all.add(new HttpField("Talos-Value-Form", put.name().toLowerCase(Locale.ROOT)));
        }
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

    /**
     * Events of a stream.
     *
     * @param nextOffset where to go on
     */
    record Events(List<ByteSlice> bytes, int count, long nextOffset) {}

    /** The messages as events, fewer than there are if they take much. Each has its offset as its id. */
    static Events events(Exchange exchange, FetchResult result, int maxMessages, ValueView view) {
        Opened opened = open(result, maxMessages, ENOUGH_EVENT_BYTES, Form.LINES, view, new DecodingRoom(exchange));
        exchange.reserveBytes(opened.maxBytes);
        Json.Chunks out = new Json.Chunks();
        for (Numbered message : opened.messages) {
            out.write("id: " + message.offset + "\ndata: ");
            Json.write(out, MessageJson.shown(message.offset, message.message, view));
            out.write("\n\n");
        }
        return new Events(out.slices(), opened.messages.size(), opened.nextOffset);
    }

    /**
     * The messages from the offset asked for on: blocks are whole, answers need not be.
     *
     * @param enoughBytes more are not given, but for one message
     */
    private static Opened open(
            FetchResult result, int maxMessages, long enoughBytes, Form form, ValueView view, DecodingRoom room) {
        List<Numbered> messages = new ArrayList<>();
        long maxBytes = ANSWER_OVERHEAD_BYTES;
        long nextOffset = result.fromOffset();
        for (StoredBlock stored : result.blocks()) {
            List<Message> ofBlock;
            try {
                ofBlock = MessageDecoder.decode(stored, DecodingRoom.MAX_BYTES, room);
            } catch (UndecodableBlockException e) {
                room.throwRefusal();
                if (messages.isEmpty()) {
                    throw unreadable(stored, e);
                }
                break;
            }
            long offset = stored.startOffset();
            for (Message message : ofBlock) {
                // Whatever the block really holds, its offsets are what its putter said.
                if (offset >= result.fromOffset() && offset < stored.endOffset()) {
                    long shownBytes = form == Form.RAW ? 0 : maxShownBytes(message, view);
                    if (maxBytes + shownBytes > MAX_ANSWER_BYTES && messages.isEmpty()) {
                        throw new GatewayException(
                                ErrorCode.NOT_ACCEPTABLE,
                                "The message at offset " + offset + " is too large to be shown as JSON; read it raw "
                                        + "(Accept: " + OCTET_STREAM + "), or go on behind it.");
                    }
                    if (messages.size() == maxMessages
                            || (maxBytes + shownBytes > enoughBytes && !messages.isEmpty())) {
                        return new Opened(messages, offset, maxBytes);
                    }
                    messages.add(new Numbered(offset, message));
                    maxBytes += shownBytes;
                }
                offset++;
            }
            nextOffset = stored.endOffset();
        }
        return new Opened(messages, nextOffset, maxBytes);
    }

    private static long maxShownBytes(Message message, ValueView view) {
        return MESSAGE_OVERHEAD_BYTES
                + view.maxBytes(message)
                + 6L * (length(message.key()) + length(message.sequenceNumber()));
    }

    private static int length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static GatewayException unreadable(StoredBlock stored, UndecodableBlockException reason) {
        return new GatewayException(
                ErrorCode.NOT_ACCEPTABLE,
                "The messages from offset " + stored.startOffset() + " to " + (stored.endOffset() - 1)
                        + " cannot be shown as JSON (" + reason.getMessage()
                        + "); read them with a Talos SDK, or go on behind them.");
    }
}
