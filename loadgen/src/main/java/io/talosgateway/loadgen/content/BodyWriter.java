package io.talosgateway.loadgen.content;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import org.jspecify.annotations.Nullable;

/** Writes messages of given sizes into a body. For one thread. */
interface BodyWriter {

    /**
     * Writes a body.
     *
     * @param sizes of its messages
     * @param keys of its messages, by their place in it
     */
    byte[] write(List<Integer> sizes, IntFunction<@Nullable String> keys);

    /** One for messages as they are wanted. */
    static BodyWriter of(Content content) {
        MessageCompression compression = content.compression();
        MessageText text = new MessageText(content.seed());
        Random random = new Random(content.seed());
        return switch (content.format()) {
            case RAW -> (sizes, keys) -> compression.ofBody(payload(sizes.get(0), compression, text, random));
            case JSON ->
                (sizes, keys) -> compression.ofBody(
                        ascii("{\"messages\":[" + String.join(",", objects(sizes, keys, text)) + "]}"));
            case NDJSON ->
                (sizes, keys) -> compression.ofBody(ascii(String.join("\n", objects(sizes, keys, text)) + "\n"));
            case THRIFT -> new BlockWriter(compression, text, random, InstantSource.system());
        };
    }

    private static List<String> objects(List<Integer> sizes, IntFunction<@Nullable String> keys, MessageText text) {
        List<String> objects = new ArrayList<>();
        for (int message = 0; message < sizes.size(); message++) {
            String key = keys.apply(message);
            objects.add("{%s\"value\":\"%s\"}"
                    .formatted(
                            key == null ? "" : "\"key\":\"" + key + "\",",
                            MessageText.string(text.next(sizes.get(message)))));
        }
        return objects;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Random bytes, but text if it is to be compressed. */
    private static byte[] payload(int size, MessageCompression compression, MessageText text, Random random) {
        if (compression != MessageCompression.NONE) {
            return text.next(size);
        }
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Blocks of messages, as the SDKs make them. */
    record BlockWriter(MessageCompression compression, MessageText text, Random random, InstantSource clock)
            implements BodyWriter {

        @Override
        public byte[] write(List<Integer> sizes, IntFunction<@Nullable String> keys) {
            List<Message> messages = new ArrayList<>();
            for (int message = 0; message < sizes.size(); message++) {
                messages.add(new Message(
                        keys.apply(message),
                        null,
                        new ByteSlice(payload(sizes.get(message), compression, text, random)),
                        clock.millis(),
                        null,
                        Message.BINARY,
                        null,
                        null));
            }
            ByteSlice block = MessageEncoder.encode(messages, MessageVersion.V3, compression.byEncoder())
                    .data();
            return compression.finish(block).toByteArray();
        }
    }
}
