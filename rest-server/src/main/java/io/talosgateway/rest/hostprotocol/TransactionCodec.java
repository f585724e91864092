package io.talosgateway.rest.hostprotocol;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.AskTransactionRequest;
import io.talosgateway.thrift.AskTransactionResponse;
import io.talosgateway.thrift.HostTransaction;
import io.talosgateway.thrift.HostTransactionOperation;
import io.talosgateway.wire.message.MessageBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** What hosts ask each other about transactions. Stateless. */
public final class TransactionCodec {

    private static final TStruct REQUEST = new TStruct("AskTransactionRequest");
    private static final TStruct RESPONSE = new TStruct("AskTransactionResponse");
    private static final TStruct TRANSACTION = new TStruct("HostTransaction");

    private TransactionCodec() {}

    /** Something that is asked of transactions. */
    public record Ask(TopicPartition coordinator, TransactionRequest request, Deadline deadline) {}

    /** @param budgetMs time that the owner has */
    public static void writeRequest(
            TProtocol out, TopicPartition coordinator, TransactionRequest request, long budgetMs) throws TException {
        out.writeStructBegin(REQUEST);
        HostFields.writeI64(out, 1, budgetMs);
        HostFields.writeStruct(out, 2, HostFields.partition(coordinator));
        HostFields.writeI32(
                out,
                3,
                HostTransactionOperation.valueOf(request.operation().name()).getValue());
        HostFields.writeStruct(out, 4, HostFields.partition(request.partition()));
        HostFields.writeI64(out, 5, request.id());
        MessageBlock block = request.block();
        if (block != null) {
            writeBlock(out, 6, block);
        }
        out.writeFieldStop();
        out.writeStructEnd();
    }

    private static void writeBlock(TProtocol out, int id, MessageBlock block) throws TException {
        out.writeFieldBegin(new TField("", TType.STRUCT, (short) id));
        HostFields.writeBlock(out, block);
        out.writeFieldEnd();
    }

    /**
     * Reads what another host asks; its payload is a slice of what {@code in} reads.
     *
     * @param clock on which its deadline is
     * @throws IllegalArgumentException if a field has a value that no host sends
     */
    public static Ask readRequest(TProtocol in, NanoClock clock) throws TException {
        AskTransactionRequest asked = new AskTransactionRequest();
        asked.read(in);
        TransactionRequest.Operation operation =
                TransactionRequest.Operation.valueOf(asked.getOperation().name());
        boolean prepares = operation == TransactionRequest.Operation.PREPARE;
        if (prepares != asked.isSetMessageBlock()) {
            throw new IllegalArgumentException(operation + (prepares ? " without" : " with") + " a block");
        }
        return new Ask(
                HostFields.partition(asked.getCoordinator()),
                new TransactionRequest(
                        operation,
                        HostFields.partition(asked.getPartition()),
                        asked.getTransactionId(),
                        prepares
                                ? HostFields.blocks(List.of(asked.getMessageBlock()))
                                        .get(0)
                                : null),
                Budget.deadline(clock, asked.getBudgetMs()));
    }

    public static void writeAnswer(TProtocol out, TransactionAnswer answer) throws TException {
        out.writeStructBegin(RESPONSE);
        HostFields.writeI64(out, 1, answer.id());
        HostFields.writeListOfStructs(out, 2, answer.transactions().size());
        for (TransactionAnswer.Prepared transaction : answer.transactions()) {
            out.writeStructBegin(TRANSACTION);
            HostFields.writeI64(out, 1, transaction.id());
            writeBlock(out, 2, transaction.block());
            out.writeFieldStop();
            out.writeStructEnd();
        }
        out.writeListEnd();
        out.writeFieldEnd();
        HostFields.writeBool(out, 3, answer.complete());
        out.writeFieldStop();
        out.writeStructEnd();
    }

    public static TransactionAnswer readAnswer(TProtocol in) throws TException {
        AskTransactionResponse answer = new AskTransactionResponse();
        answer.read(in);
        List<TransactionAnswer.Prepared> transactions =
                new ArrayList<>(answer.getTransactions().size());
        for (HostTransaction transaction : answer.getTransactions()) {
            transactions.add(new TransactionAnswer.Prepared(
                    transaction.getTransactionId(), HostFields.block(transaction.getMessageBlock())));
        }
        return new TransactionAnswer(answer.getTransactionId(), transactions, answer.isComplete());
    }
}
