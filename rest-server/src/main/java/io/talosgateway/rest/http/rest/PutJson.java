package io.talosgateway.rest.http.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.ValueForm;
import org.jspecify.annotations.Nullable;

/**
 * The JSON of puts. Limits are checked while it is read: 24 MiB of empty messages or arrays would become a hundred times as
 * much, were they all read first. Stateless.
 */
final class PutJson {

    private PutJson() {}

    /** Several messages. */
    record MessagesJson(
            @JsonDeserialize(using = MessagesReader.class) @Nullable
            List<Message> messages) {}

    /** A reader that knows the limits, for {@link MessagesJson} and {@link MessageJson}. */
    static ObjectReader reader(MessageLimits limits) {
        return Json.MAPPER.reader().withAttribute(MessageLimits.class, limits);
    }

    private static MessageLimits limits(DeserializationContext context) {
        return (MessageLimits) context.getAttribute(MessageLimits.class);
    }

    static GatewayException tooManyMessages(MessageLimits limits) {
        return new GatewayException(
                ErrorCode.REQUEST_TOO_LARGE, "A put may hold " + limits.maxMessagesPerPut() + " messages.");
    }

    /** Makes each message before it reads the next. */
    static final class MessagesReader extends JsonDeserializer<List<Message>> {
        @Override
        public List<Message> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            MessageLimits limits = limits(context);
            if (!parser.isExpectedStartArrayToken()) {
                throw RestCall.malformed("The put needs a list 'messages'.");
            }
            List<Message> messages = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (messages.size() == limits.maxMessagesPerPut()) {
                    throw tooManyMessages(limits);
                }
                if (parser.currentToken() == JsonToken.VALUE_NULL) {
                    throw RestCall.malformed("Message " + messages.size() + " is null.");
                }
                messages.add(message(parser, context, messages)
                        .toMessage(messages.size(), limits.maxMessageSize().toBytesInt()));
            }
            return messages;
        }

        /** A failure tells the message's place. */
        private static MessageJson message(JsonParser parser, DeserializationContext context, List<Message> before)
                throws IOException {
            try {
                return context.readValue(parser, MessageJson.class);
            } catch (JsonMappingException e) {
                throw JsonMappingException.wrapWithPath(e, before, before.size());
            }
        }
    }

    /**
     * A value and what it is.
     *
     * @param bytes of the text, or of the compact JSON
     */
    record Value(ByteSlice bytes, ValueForm form) {}

    /** The characters of a string, or any other JSON as it comes, without making objects of it. */
    static final class ValueReader extends JsonDeserializer<Value> {
        @Override
        public Value deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.currentToken() == JsonToken.VALUE_STRING) {
                return new Value(ByteSlice.utf8(parser.getText()), ValueForm.TEXT);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (JsonGenerator out = Json.MAPPER.createGenerator(bytes)) {
                Payload.copy(parser, out);
            }
            return new Value(new ByteSlice(bytes.toByteArray()), ValueForm.JSON);
        }
    }
}
