package io.talosgateway.loadgen.content;

import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;

/** Writes messages of given sizes into a body. For one thread. */
interface BodyWriter {

    /**
     * Writes a body.
     *
     * @param sizes of its messages
     */
    byte[] write(List<Integer> sizes);

    /** One for messages as they are wanted. */
    static BodyWriter of(Content content) {
        MessageCompression compression = content.compression();
        MessageText text = new MessageText(content.seed());
        Random random = new Random(content.seed());
        return switch (content.format()) {
            case RAW -> sizes -> compression.ofBody(payload(sizes.get(0), compression, text, random));
            case JSON ->
                sizes -> compression.ofBody(ascii("{\"messages\":[" + String.join(",", objects(sizes, text)) + "]}"));
            case NDJSON -> sizes -> compression.ofBody(ascii(String.join("\n", objects(sizes, text)) + "\n"));
            case THRIFT -> new BlockWriter(compression, text, random, InstantSource.system());
        };
    }

    private static List<String> objects(List<Integer> sizes, MessageText text) {
        return sizes.stream()
                .map(size -> "{\"value\":\"%s\"}".formatted(MessageText.string(text.next(size))))
                .toList();
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
        public byte[] write(List<Integer> sizes) {
            List<Message> messages = new ArrayList<>();
            for (int size : sizes) {
                ByteSlice payload = new ByteSlice(payload(size, compression, text, random));
                messages.add(new Message(null, null, payload, clock.millis(), null, Message.BINARY, null, null));
            }
            ByteSlice block = MessageEncoder.encode(messages, MessageVersion.V3, compression.byEncoder())
                    .data();
            return compression.finish(block).toByteArray();
        }
    }
}
