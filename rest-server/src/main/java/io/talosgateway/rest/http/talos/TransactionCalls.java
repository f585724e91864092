package io.talosgateway.rest.http.talos;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.transaction.Transactions;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.thrift.CommitRequest;
import io.talosgateway.thrift.CommitResponse;
import io.talosgateway.thrift.GetUnkownStateTransactionRequest;
import io.talosgateway.thrift.PrepareResponse;
import io.talosgateway.thrift.RollbackRequest;
import io.talosgateway.thrift.RollbackResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;

/** The methods of {@code MessageService} about transactions. {@link MessageCalls} has the others. */
public final class TransactionCalls {

    private static final TStruct UNDECIDED = new TStruct("GetUnkownStateTransactionResponse");

    private final TopicArguments topics;
    private final Transactions transactions;
    private final HttpParts parts;

    public TransactionCalls(AuthorizedTopics topics, Transactions transactions, HttpParts parts) {
        this.topics = new TopicArguments(topics);
        this.transactions = transactions;
        this.parts = parts;
    }

    void register(TalosMethods methods) {
        ThriftService service = ThriftService.MESSAGE;
        methods.addRaw(service, MessageMethods.PREPARE, this::prepare);
        methods.add(service, MessageMethods.COMMIT, this::commit);
        methods.add(service, MessageMethods.ROLLBACK, this::rollback);
        methods.addRaw(service, MessageMethods.GET_UNKOWN_STATE_TRANSACTION, this::undecided);
    }

    /** A repeat is another transaction: the Go SDK's {@code sequenceId} is the same for ever, and what is not committed harms nobody. */
    private CompletableFuture<TalosMethods.Reply> prepare(TalosCall call) {
        call.exchange().setRequestClass(RequestClass.PUT);
        PutMessageCodec.Put prepare = Objects.requireNonNull(TalosCall.decode(
                () -> ThriftEnvelope.readArguments(call.in(), in -> PutMessageCodec.readPrepare(in, parts.limits()))));
        TopicPartition partition = partition(call, prepare.topicAndPartition());
        MessageBlock block = MessageCalls.withoutBallast(prepare.batch(), call.body())
                .blocks()
                .get(0);
        Deadline deadline = MessageCalls.deadline(parts, call.exchange(), prepare.timeoutTimestampMs());
        return transactions
                .ask(TransactionRequest.prepare(partition, block), deadline)
                .thenApply(answer ->
                        new TalosMethods.Reply(new PrepareResponse(prepare.topicAndPartition(), answer.id())::write));
    }

    private CompletableFuture<CommitResponse> commit(TalosCall call, CommitRequest request) {
        call.exchange().setRequestClass(RequestClass.PUT);
        TalosCall.checkedSequenceId(request.getSequenceId());
        TopicAndPartition asked = request.getTopicAndPartition();
        return transactions
                .ask(
                        TransactionRequest.commit(partition(call, asked), request.getTransactionId()),
                        MessageCalls.deadline(parts, call.exchange(), null))
                .thenApply(answer -> new CommitResponse(asked, answer.id()));
    }

    private CompletableFuture<RollbackResponse> rollback(TalosCall call, RollbackRequest request) {
        call.exchange().setRequestClass(RequestClass.PUT);
        TalosCall.checkedSequenceId(request.getSequenceId());
        TopicAndPartition asked = request.getTopicAndPartition();
        return transactions
                .ask(
                        TransactionRequest.rollback(partition(call, asked), request.getTransactionId()),
                        MessageCalls.deadline(parts, call.exchange(), null))
                .thenApply(answer -> new RollbackResponse(asked, answer.id()));
    }

    private CompletableFuture<TalosMethods.Reply> undecided(TalosCall call) {
        call.exchange().setRequestClass(RequestClass.GET);
        GetUnkownStateTransactionRequest request = Objects.requireNonNull(
                TalosCall.decode(() -> MessageMethods.GET_UNKOWN_STATE_TRANSACTION.readArguments(call.in())));
        Long timeoutTimestampMs = request.isSetTimeoutTimestamp() ? request.getTimeoutTimestamp() : null;
        return transactions
                .ask(
                        TransactionRequest.undecided(partition(call, request.getTopicAndPartition())),
                        MessageCalls.deadline(parts, call.exchange(), timeoutTimestampMs))
                .thenCompose(answer ->
                        call.exchange().work(isSmall(answer), () -> new TalosMethods.Reply(out -> write(out, answer))));
    }

    private static boolean isSmall(TransactionAnswer answer) {
        long bytes = answer.transactions().stream()
                .mapToLong(transaction -> transaction.block().bytes())
                .sum();
        return bytes <= Exchange.SMALL_BYTES;
    }

    /** By hand, because of the blocks: see {@link MessageBlockCodec}. */
    private static void write(TProtocol out, TransactionAnswer answer) throws TException {
        List<TransactionAnswer.Prepared> found = answer.transactions();
        out.writeStructBegin(UNDECIDED);
        out.writeFieldBegin(new TField("unknowStateTransactions", TType.MAP, (short) 1));
        out.writeMapBegin(new TMap(TType.I64, TType.STRUCT, found.size()));
        for (TransactionAnswer.Prepared transaction : found) {
            out.writeI64(transaction.id());
            MessageBlockCodec.write(out, new StoredBlock(0, 0, transaction.block()));
        }
        out.writeMapEnd();
        out.writeFieldEnd();
        out.writeFieldBegin(new TField("isReadAllUnknowInfo", TType.BOOL, (short) 2));
        out.writeBool(answer.complete());
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }

    private TopicPartition partition(TalosCall call, TopicAndPartition asked) {
        return TopicArguments.partition(topics.find(call, asked), asked);
    }
}
