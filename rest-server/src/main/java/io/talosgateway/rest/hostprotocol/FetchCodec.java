package io.talosgateway.rest.hostprotocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.HostBlock;
import io.talosgateway.thrift.HostFetchFrom;
import io.talosgateway.thrift.TransferGetMessageRequest;
import io.talosgateway.thrift.TransferGetMessageResponse;
import io.talosgateway.wire.message.StoredBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.jspecify.annotations.Nullable;

/** A get between hosts. Stateless. */
public final class FetchCodec {

    private static final TStruct RESULT = new TStruct("TransferGetMessageResponse");

    private FetchCodec() {}

    /**
     * @param trace what the owner is told of the request
     * @param budgetMs time that the owner has
     */
    public static void writeRequest(
            TProtocol out, FetchRequest request, Duration maxWait, @Nullable TraceContext trace, long budgetMs)
            throws TException {
        FetchFrom from = request.from();
        new TransferGetMessageRequest(
                        budgetMs,
                        HostFields.partition(request.partition()),
                        kind(from),
                        value(from),
                        request.maxMessages(),
                        request.maxBytes(),
                        maxWait.toMillis(),
                        HostFields.text(request.importance()))
                .setTrace(trace == null ? null : HostFields.trace(trace))
                .write(out);
    }

    private static HostFetchFrom kind(FetchFrom from) {
        if (from instanceof FetchFrom.Offset) {
            return HostFetchFrom.OFFSET;
        }
        if (from instanceof FetchFrom.Earliest) {
            return HostFetchFrom.EARLIEST;
        }
        if (from instanceof FetchFrom.LastMessage) {
            return HostFetchFrom.LAST_MESSAGE;
        }
        if (from instanceof FetchFrom.Latest) {
            return HostFetchFrom.LATEST;
        }
        if (from instanceof FetchFrom.Time) {
            return HostFetchFrom.TIME;
        }
        throw new AssertionError("not a place to begin: " + from);
    }

    private static long value(FetchFrom from) {
        if (from instanceof FetchFrom.Offset offset) {
            return offset.offset();
        }
        return from instanceof FetchFrom.Time time ? time.timeMs() : 0;
    }

    /**
     * Reads a get that another host hands on.
     *
     * @param clock on which its deadline is
     */
    public static FetchRequest readRequest(TProtocol in, NanoClock clock) throws TException {
        TransferGetMessageRequest request = new TransferGetMessageRequest();
        request.read(in);
        return new FetchRequest(
                HostFields.partition(request.getPartition()),
                from(request.getFromKind(), request.getFromValue()),
                request.getMaxMessages(),
                request.getMaxBytes(),
                Duration.ofMillis(Math.max(0, request.getWaitMs())),
                HostFields.importance(request.getImportance()),
                true,
                Budget.deadline(clock, request.getBudgetMs()),
                HostFields.trace(request.getTrace()));
    }

    private static FetchFrom from(HostFetchFrom kind, long value) {
        return switch (kind) {
            case OFFSET -> new FetchFrom.Offset(value);
            case EARLIEST -> new FetchFrom.Earliest();
            case LAST_MESSAGE -> new FetchFrom.LastMessage();
            case LATEST -> new FetchFrom.Latest();
            case TIME -> new FetchFrom.Time(value);
        };
    }

    public static void writeResult(TProtocol out, FetchResult result) throws TException {
        out.writeStructBegin(RESULT);
        HostFields.writeListOfStructs(out, 1, result.blocks().size());
        for (StoredBlock stored : result.blocks()) {
            HostFields.writeBlock(
                    out, stored.block(), new HostFields.Place(stored.startOffset(), stored.appendTimestampMs()));
        }
        out.writeListEnd();
        out.writeFieldEnd();
        HostFields.writeI64(out, 2, result.fromOffset());
        HostFields.writeI64(out, 3, result.logStartOffset());
        HostFields.writeI64(out, 4, result.logEndOffset());
        out.writeFieldStop();
        out.writeStructEnd();
    }

    /** Reads a result; its payloads are slices of what {@code in} reads. */
    public static FetchResult readResult(TProtocol in) throws TException {
        TransferGetMessageResponse response = new TransferGetMessageResponse();
        response.read(in);
        List<StoredBlock> blocks = new ArrayList<>(response.getMessageBlocks().size());
        for (HostBlock block : response.getMessageBlocks()) {
            blocks.add(new StoredBlock(block.getStartOffset(), block.getAppendTimestamp(), HostFields.block(block)));
        }
        return new FetchResult(
                blocks, response.getFromOffset(), response.getLogStartOffset(), response.getLogEndOffset(), true);
    }
}
