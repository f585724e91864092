package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.wire.message.MessageBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/** Reads {@code PutMessageRequest} and {@code PrepareRequest} by hand, because of their blocks: see {@link MessageBlockCodec}. */
final class PutMessageCodec {

    private PutMessageCodec() {}

    /**
     * A put as the SDKs send it.
     *
     * @param timeoutTimestampMs the deadline on the client's clock, epoch milliseconds; null from Java SDK 2.0
     */
    record Put(
            TopicAndPartition topicAndPartition,
            MessageBatch batch,
            String sequenceId,
            @Nullable Long timeoutTimestampMs) {}

    /**
     * Reads a request.
     *
     * @throws TProtocolException if a required field is missing
     * @throws GatewayException {@code INVALID_MESSAGE} if fields contradict each other or a limit is exceeded
     */
    static Put read(TProtocol in, MessageLimits limits) throws TException {
        return read(in, limits, false);
    }

    /** The same of a block that is prepared: one, in place of the list. */
    static Put readPrepare(TProtocol in, MessageLimits limits) throws TException {
        return read(in, limits, true);
    }

    private static Put read(TProtocol in, MessageLimits limits, boolean isPrepare) throws TException {
        TopicAndPartition topicAndPartition = null;
        List<MessageBlock> blocks = null;
        Integer messageNumber = null;
        String sequenceId = null;
        Long timeoutTimestampMs = null;
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (field.id == 1 && field.type == TType.STRUCT) {
                topicAndPartition = new TopicAndPartition();
                topicAndPartition.read(in);
            } else if (isPrepare && field.id == 2 && field.type == TType.STRUCT) {
                blocks = List.of(MessageBlockCodec.readPrepared(in));
            } else if (!isPrepare && field.id == 2 && field.type == TType.LIST) {
                blocks = readBlocks(in, limits);
            } else if (field.id == 3 && field.type == TType.I32) {
                messageNumber = in.readI32();
            } else if (field.id == 4 && field.type == TType.STRING) {
                sequenceId = TalosCall.checkedSequenceId(in.readString());
            } else if (field.id == 5 && field.type == TType.I64) {
                timeoutTimestampMs = in.readI64();
            } else {
                TProtocolUtil.skip(in, field.type);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        if (topicAndPartition == null || blocks == null || messageNumber == null || sequenceId == null) {
            throw new TProtocolException(
                    TProtocolException.INVALID_DATA,
                    "a put needs topicAndPartition, messages, messageNumber and sequenceId");
        }
        return new Put(topicAndPartition, batch(blocks, messageNumber, limits), sequenceId, timeoutTimestampMs);
    }

    private static List<MessageBlock> readBlocks(TProtocol in, MessageLimits limits) throws TException {
        TList list = in.readListBegin();
        if (list.size > limits.maxBlocksPerPut()) {
            throw invalid("A put may hold " + limits.maxBlocksPerPut() + " message blocks, not " + list.size + ".");
        }
        if (list.size > 0 && list.elemType != TType.STRUCT) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "messageBlocks is not a list of structs");
        }
        List<MessageBlock> blocks = new ArrayList<>(list.size);
        for (int index = 0; index < list.size; index++) {
            blocks.add(MessageBlockCodec.read(in));
        }
        in.readListEnd();
        return blocks;
    }

    private static MessageBatch batch(List<MessageBlock> blocks, int messageNumber, MessageLimits limits) {
        if (blocks.isEmpty()) {
            throw invalid("A put must hold at least one message.");
        }
        long messages = blocks.stream().mapToLong(MessageBlock::messageNumber).sum();
        if (messages > limits.maxMessagesPerPut()) {
            throw invalid("A put may hold " + limits.maxMessagesPerPut() + " messages, not " + messages + ".");
        }
        if (messages != messageNumber) {
            throw invalid(
                    "The message blocks hold " + messages + " messages, but messageNumber says " + messageNumber + ".");
        }
        return new MessageBatch(blocks);
    }

    private static GatewayException invalid(String reason) {
        return new GatewayException(ErrorCode.INVALID_MESSAGE, reason);
    }
}
