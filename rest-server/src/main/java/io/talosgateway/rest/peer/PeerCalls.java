package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hostprotocol.FetchCodec;
import io.talosgateway.rest.hostprotocol.GroupCodec;
import io.talosgateway.rest.hostprotocol.PartitionsCodec;
import io.talosgateway.rest.hostprotocol.PutCodec;
import io.talosgateway.rest.hostprotocol.QuotaCodec;
import io.talosgateway.rest.hostprotocol.TransactionCodec;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;

/** The calls of hosts that have proved. Runs on the thread of the server; answers on whatever completes them. */
final class PeerCalls {

    private static final String PUT = HostMethods.TRANSFER_PUT_MESSAGE.name();
    private static final String CONDITIONAL_PUT = HostMethods.TRANSFER_CONDITIONAL_PUT_MESSAGE.name();
    private static final String GET = HostMethods.TRANSFER_GET_MESSAGE.name();
    private static final String DESCRIBE = HostMethods.DESCRIBE_PARTITIONS.name();
    private static final String OFFSET_AT = HostMethods.FIND_OFFSET.name();
    private static final String TRIM = HostMethods.DELETE_OLDEST_MESSAGES.name();
    private static final String FENCING_TOKEN = HostMethods.CHANGE_FENCING_TOKEN.name();
    private static final String GROUP = HostMethods.ASK_CONSUMER_GROUP.name();
    private static final String TRANSACTION = HostMethods.ASK_TRANSACTION.name();
    private static final String QUOTAS = HostMethods.TELL_USED_QUOTAS.name();
    private static final Set<String> METHODS = Set.of(
            PUT,
            CONDITIONAL_PUT,
            GET,
            DESCRIBE,
            OFFSET_AT,
            TRIM,
            FENCING_TOKEN,
            GROUP,
            TRANSACTION,
            QUOTAS,
            HostMethods.GREET.name(),
            HostMethods.PROVE.name());

    /** Room in a frame for what is around the blocks of an answer. */
    private static final int FRAME_OVERHEAD_BYTES = 32 * 1024;

    private final PartitionService partitions;
    private final Consumer<List<UsedQuota>> quotas;
    private final AdmissionController admission;
    private final NanoClock clock;
    private final int maxAnswerBytes;

    PeerCalls(
            PartitionService partitions,
            Consumer<List<UsedQuota>> quotas,
            AdmissionController admission,
            NanoClock clock,
            PeerConfig config) {
        this.partitions = partitions;
        this.quotas = quotas;
        this.admission = admission;
        this.clock = clock;
        this.maxAnswerBytes = config.maxFrame().toBytesInt() - FRAME_OVERHEAD_BYTES;
    }

    /** What is to be done for a call that is understood. */
    private interface Work {
        void run();
    }

    /** Writes a result. */
    private interface ResultWriter<T> {
        void write(TProtocol out, T result) throws TException;
    }

    static boolean isMethod(String name) {
        return METHODS.contains(name);
    }

    /**
     * Does a call.
     *
     * @param in positioned at its arguments
     * @param bytes that the call takes in memory
     */
    void call(String method, TProtocol in, int bytes, Reply reply) {
        try {
            reply.hold(admission.admit(bytes));
        } catch (GatewayException e) {
            reply.refuse(e);
            return;
        }
        Work work;
        try {
            work = read(method, in, reply);
        } catch (TException | RuntimeException e) {
            // libthrift throws both at bytes that are not what was expected.
            reply.notTaken(method + ": " + e.getMessage());
            return;
        }
        try {
            work.run();
        } catch (RuntimeException e) {
            reply.failure(e);
        }
    }

    private Work read(String method, TProtocol in, Reply reply) throws TException {
        if (method.equals(PUT) || method.equals(CONDITIONAL_PUT)) {
            PutRequest put = arguments(in, argument -> PutCodec.readRequest(argument, clock));
            RequestTrace trace = reply.trace(put.trace(), Duration.ZERO);
            return () -> answer(reply, partitions.put(put.tracedBy(trace)), PutCodec::writeResult);
        }
        if (method.equals(GET)) {
            FetchRequest get = arguments(in, argument -> FetchCodec.readRequest(argument, clock));
            RequestTrace trace = reply.trace(get.trace(), get.maxWait());
            return () -> answer(
                    reply, partitions.fetch(get.withinBytes(maxAnswerBytes).tracedBy(trace)), FetchCodec::writeResult);
        }
        if (method.equals(DESCRIBE)) {
            List<TopicPartition> asked = arguments(in, PartitionsCodec::readDescribe);
            return () -> answer(reply, partitions.describe(asked, Deadline.NONE), PartitionsCodec::writeStatuses);
        }
        if (method.equals(OFFSET_AT)) {
            PartitionsCodec.OffsetAt at = arguments(in, argument -> PartitionsCodec.readOffsetAt(argument, clock));
            return () -> answer(
                    reply,
                    partitions.offsetAt(at.partition(), at.timeMs(), at.deadline()),
                    PartitionsCodec::writeOffset);
        }
        if (method.equals(TRIM)) {
            PartitionsCodec.Trim trim = arguments(in, PartitionsCodec::readTrim);
            return () -> confirm(
                    reply, partitions.trim(trim.partition(), trim.firstOffset(), trim.lastOffset(), Deadline.NONE));
        }
        if (method.equals(FENCING_TOKEN)) {
            PartitionsCodec.FencingToken asked =
                    arguments(in, argument -> PartitionsCodec.readFencingToken(argument, clock));
            return () -> confirm(reply, partitions.changeFencingToken(asked.change(), asked.deadline()));
        }
        if (method.equals(GROUP)) {
            GroupCodec.Ask ask = arguments(in, argument -> GroupCodec.readRequest(argument, clock));
            return () -> answer(
                    reply,
                    partitions.askGroup(ask.coordinator(), ask.request(), ask.deadline()),
                    GroupCodec::writeAnswer);
        }
        if (method.equals(TRANSACTION)) {
            TransactionCodec.Ask ask = arguments(in, argument -> TransactionCodec.readRequest(argument, clock));
            return () -> answer(
                    reply,
                    partitions.askTransaction(ask.coordinator(), ask.request(), ask.deadline()),
                    TransactionCodec::writeAnswer);
        }
        if (method.equals(QUOTAS)) {
            List<UsedQuota> used = arguments(in, QuotaCodec::read);
            return () -> {
                quotas.accept(used);
                reply.result(null);
            };
        }
        throw new TException("this host knows no such method");
    }

    private static <A> A arguments(TProtocol in, ThriftEnvelope.StructReader<A> reader) throws TException {
        return Objects.requireNonNull(ThriftEnvelope.readArguments(in, reader));
    }

    private static void confirm(Reply reply, CompletableFuture<Void> future) {
        future.whenComplete((done, failure) -> {
            if (failure == null) {
                reply.result(null);
            } else {
                reply.failure(failure);
            }
        });
    }

    private static <T> void answer(Reply reply, CompletableFuture<T> future, ResultWriter<T> writer) {
        future.whenComplete((result, failure) -> {
            if (failure == null) {
                reply.result(out -> writer.write(out, result));
            } else {
                reply.failure(failure);
            }
        });
    }
}
