package io.talosgateway.rest.hostprotocol;

import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.PutCondition;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.TransferPutMessageRequest;
import io.talosgateway.thrift.TransferPutMessageResponse;
import io.talosgateway.wire.message.MessageBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.jspecify.annotations.Nullable;

/** A put between hosts. Stateless. */
public final class PutCodec {

    private static final TStruct REQUEST = new TStruct("TransferPutMessageRequest");

    private PutCodec() {}

    /**
     * @param trace what the owner is told of the request
     * @param budgetMs time that the owner has
     */
    public static void writeRequest(TProtocol out, PutRequest request, @Nullable TraceContext trace, long budgetMs)
            throws TException {
        out.writeStructBegin(REQUEST);
        HostFields.writeI64(out, 1, budgetMs);
        HostFields.writeStruct(out, 2, HostFields.partition(request.partition()));
        HostFields.writeListOfStructs(out, 3, request.batch().blocks().size());
        for (MessageBlock block : request.batch().blocks()) {
            HostFields.writeBlock(out, block);
        }
        out.writeListEnd();
        out.writeFieldEnd();
        IdempotencyKey key = request.idempotencyKey();
        if (key != null) {
            HostFields.writeString(out, 4, key.value());
            HostFields.writeBool(out, 5, key.strict());
        }
        Durability durability = request.durability();
        if (durability != null) {
            HostFields.writeString(out, 6, durability.text());
        }
        HostFields.writeString(out, 7, HostFields.text(request.importance()));
        Long expectedOffset = request.condition().expectedOffset();
        if (expectedOffset != null) {
            HostFields.writeI64(out, 8, expectedOffset);
        }
        String fencingToken = request.condition().fencingToken();
        if (fencingToken != null) {
            HostFields.writeString(out, 9, fencingToken);
        }
        if (trace != null) {
            HostFields.writeStruct(out, 10, HostFields.trace(trace));
        }
        out.writeFieldStop();
        out.writeStructEnd();
    }

    /**
     * Reads a put that another host hands on; its payloads are slices of what {@code in} reads.
     *
     * @param clock on which its deadline is
     * @throws IllegalArgumentException if a field has a value that no host sends
     */
    public static PutRequest readRequest(TProtocol in, NanoClock clock) throws TException {
        TransferPutMessageRequest request = new TransferPutMessageRequest();
        request.read(in);
        return new PutRequest(
                HostFields.partition(request.getPartition()),
                new MessageBatch(HostFields.blocks(request.getMessageBlocks())),
                request.isSetIdempotencyKey()
                        ? new IdempotencyKey(request.getIdempotencyKey(), request.isStrictKey())
                        : null,
                request.isSetDurability() ? Durability.parse(request.getDurability()) : null,
                HostFields.importance(request.getImportance()),
                true,
                Budget.deadline(clock, request.getBudgetMs()),
                HostFields.trace(request.getTrace()),
                new PutCondition(
                        request.isSetExpectedOffset() ? request.getExpectedOffset() : null, request.getFencingToken()));
    }

    public static void writeResult(TProtocol out, PutResult result) throws TException {
        new TransferPutMessageResponse(
                        result.firstOffset(),
                        result.messageCount(),
                        result.appendTimestampMs(),
                        result.durability().text(),
                        result.repeat())
                .write(out);
    }

    /** @param partition number of the partition of the put */
    public static PutResult readResult(TProtocol in, int partition) throws TException {
        TransferPutMessageResponse response = new TransferPutMessageResponse();
        response.read(in);
        return new PutResult(
                partition,
                response.getFirstOffset(),
                response.getMessageNumber(),
                response.getAppendTimestamp(),
                Durability.parse(response.getDurability()),
                response.isRepeat(),
                true);
    }
}
