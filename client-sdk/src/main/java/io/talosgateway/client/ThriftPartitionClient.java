package io.talosgateway.client;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftService;

/** A partition over the Thrift interface. */
record ThriftPartitionClient(
        HttpCaller caller,
        ThriftEncoder encoder,
        TopicAndPartition partition,
        BlockCompression compression,
        Duration timeout,
        InstantSource clock)
        implements PartitionClient {

    /** The interface wants one. A put's idempotency key is in a header. */
    private static final String SEQUENCE_ID = "talos-gateway-client";

    private static final int ENVELOPE_BYTES = 512;

    private record Prepared(ThriftPartitionClient partition, ThriftCall<PutMessageResponse> call, int messages)
            implements PreparedPut {

        @Override
        public CompletableFuture<Void> send(String idempotencyKey) {
            return partition
                    .caller
                    .send(call.withIdempotencyKey(idempotencyKey), partition.timeout)
                    .thenApply(answer -> null);
        }

        @Override
        public int bodyBytes() {
            return call.body().length();
        }
    }

    @Override
    public PreparedPut prepare(List<NewMessage> messages) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("a put holds at least one message");
        }
        MessageBlock block = ThriftBlocks.encode(messages, compression, clock.millis());
        ThriftCall<PutMessageResponse> call = encoder.call(
                ThriftService.MESSAGE,
                MessageMethods.PUT_MESSAGE,
                new PutMessageRequest(partition, List.of(block), messages.size(), SEQUENCE_ID),
                block.getMessageBlockSize() + ENVELOPE_BYTES,
                Retry.SAME_KEY);
        return new Prepared(this, call, messages.size());
    }

    @Override
    public CompletableFuture<Fetched> get(long offset, GetOptions options) {
        if (offset < EARLIEST) {
            throw new IllegalArgumentException("an offset is not negative: " + offset);
        }
        GetMessageRequest request = new GetMessageRequest(partition, offset, SEQUENCE_ID)
                .setMaxGetMessageNumber(options.maxMessages())
                .setMaxGetMessageBytes(options.maxBytes())
                .setShowUnHandledMessageNumber(false);
        ThriftCall<GetMessageResponse> call = encoder.call(
                ThriftService.MESSAGE, MessageMethods.GET_MESSAGE, request, ENVELOPE_BYTES, Retry.AFTER_BACKOFF);
        return caller.send(call, timeout).thenApply(response -> fetched(response.getMessageBlocks(), offset));
    }

    private static Fetched fetched(List<MessageBlock> blocks, long offset) {
        if (blocks.isEmpty()) {
            return new Fetched(0, offset, 0, List::of);
        }
        MessageBlock last = blocks.get(blocks.size() - 1);
        long nextOffset = last.getStartMessageOffset() + last.getMessageNumber();
        long firstOffset = Math.max(offset, blocks.get(0).getStartMessageOffset());
        if (nextOffset <= firstOffset) {
            throw new GatewayClientException(
                    "The answer ends at offset %d, before offset %d".formatted(nextOffset, firstOffset),
                    Retry.NEVER,
                    null);
        }
        return new Fetched(
                Math.toIntExact(nextOffset - firstOffset),
                nextOffset,
                blocks.stream().mapToLong(MessageBlock::getMessageBlockSize).sum(),
                () -> ThriftBlocks.decode(blocks, firstOffset));
    }

    @Override
    public PartitionClient withTimeout(Duration newTimeout) {
        return new ThriftPartitionClient(caller, encoder, partition, compression, newTimeout, clock);
    }
}
