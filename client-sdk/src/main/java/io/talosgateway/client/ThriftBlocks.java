package io.talosgateway.client;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.ValueForm;
import io.talosgateway.wire.message.format.MessageDecoder;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.message.format.UndecodableBlockException;

/** Messages in the blocks of the Thrift interface. Stateless. */
final class ThriftBlocks {

    /** Opened, a block of an SDK has a third of that at most. */
    private static final int MAX_DECODED_BYTES = 64 << 20;

    private ThriftBlocks() {}

    /** One block of messages that are made now: as the Talos SDKs make it, without the form of the values. */
    static MessageBlock encode(List<NewMessage> messages, BlockCompression compression, long nowMs) {
        List<io.talosgateway.wire.message.Message> made = messages.stream()
                .map(message -> new io.talosgateway.wire.message.Message(
                        message.key(),
                        null,
                        new ByteSlice(message.payload()),
                        nowMs,
                        null,
                        io.talosgateway.wire.message.Message.BINARY,
                        null,
                        null))
                .toList();
        io.talosgateway.wire.message.MessageBlock block =
                MessageEncoder.encode(made, MessageVersion.V3, compression.compression());
        ByteSlice data = block.data();
        return new MessageBlock(
                        0,
                        block.messageNumber(),
                        MessageCompressionType.findByValue(block.compression()),
                        data.toByteBuffer())
                .setMessageBlockSize(data.length())
                .setCreateTimestamp(nowMs);
    }

    /**
     * The messages of a get.
     *
     * @param blocks the first may begin before what was asked for
     * @param firstOffset of the messages that are wanted
     */
    static List<Message> decode(List<MessageBlock> blocks, long firstOffset) {
        List<Message> messages = new ArrayList<>();
        for (MessageBlock block : blocks) {
            long offset = block.getStartMessageOffset();
            for (io.talosgateway.wire.message.Message message : open(block)) {
                if (offset >= firstOffset) {
                    byte[] payload = message.payload().toByteArray();
                    ValueForm form = message.form();
                    messages.add(new Message(
                            offset,
                            message.key(),
                            payload,
                            message.sequenceNumber(),
                            message.createTimestampMs(),
                            block.isSetAppendTimestamp() ? block.getAppendTimestamp() : null,
                            form == null ? JsonValues.guess(payload) : form));
                }
                offset++;
            }
        }
        return messages;
    }

    private static List<io.talosgateway.wire.message.Message> open(MessageBlock block) {
        io.talosgateway.wire.message.MessageBlock opaque = new io.talosgateway.wire.message.MessageBlock(
                block.getMessageNumber(),
                block.getCompressionType().getValue(),
                ByteSlice.of(block.bufferForMessageBlock()),
                io.talosgateway.wire.message.MessageBlock.NO_TIMESTAMP,
                ByteSlice.EMPTY);
        try {
            return MessageDecoder.decode(
                    new StoredBlock(block.getStartMessageOffset(), block.getAppendTimestamp(), opaque),
                    MAX_DECODED_BYTES);
        } catch (UndecodableBlockException e) {
            throw new GatewayClientException(
                    "The messages from offset %d on cannot be decoded: %s"
                            .formatted(block.getStartMessageOffset(), e.getMessage()),
                    Retry.NEVER,
                    e);
        }
    }
}
