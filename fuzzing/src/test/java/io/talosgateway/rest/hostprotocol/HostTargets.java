package io.talosgateway.rest.hostprotocol;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.rest.forwarding.Peer;
import io.talosgateway.rest.forwarding.thrift.CallerHandshake;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.trace.RequestTrace;
import io.talosgateway.rest.trace.TraceContext;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/** What hosts send each other: calls, answers and the answers of the handshake, without the length in front. */
public final class HostTargets {

    private static final NanoClock CLOCK = () -> 0;
    private static final TopicPartition PARTITION = new TopicPartition(new TopicId(1, 2), 5);
    private static final MessageBlock BLOCK =
            new MessageBlock(3, 1, ByteSlice.utf8("payload"), 1_600_000_000_000L, ByteSlice.utf8("extra"));
    private static final MessageBlock PLAIN =
            new MessageBlock(1, 0, ByteSlice.utf8("x"), MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY);

    private static final TraceContext TRACE = TraceContext.of(
            "req-7", List.of("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), List.of("vendor=1"));

    private HostTargets() {}

    private static @Nullable TraceContext context(@Nullable RequestTrace trace) {
        return trace == null ? null : trace.context();
    }

    /** Reads the arguments of a call, or the result of an answer. */
    @FunctionalInterface
    private interface Reader<T> {
        T read(TProtocol in) throws TException;
    }

    private static <T> FuzzTarget<T> calls(String name, Reader<T> reader, ThriftEnvelope.StructWriter... seeds) {
        return FuzzTarget.of(
                "host-" + name,
                java.util.Arrays.stream(seeds)
                        .map(seed -> frame(out -> ThriftEnvelope.writeCall(out, name, 1, "request", seed)))
                        .toList(),
                input -> {
                    try {
                        TProtocol in = HostFrame.reading(new ByteSlice(input));
                        in.readMessageBegin();
                        return ThriftEnvelope.readArguments(in, reader::read);
                    } catch (TException | RuntimeException e) {
                        // PeerCalls catches both: libthrift throws both at bytes that are not what was expected.
                        return null;
                    }
                });
    }

    private static <T> FuzzTarget<T> answers(String name, Reader<T> reader, ThriftEnvelope.StructWriter... seeds) {
        return FuzzTarget.of(
                "host-" + name,
                java.util.Arrays.stream(seeds)
                        .map(seed -> frame(out -> ThriftEnvelope.writeResult(out, name, 1, seed)))
                        .toList(),
                input -> {
                    try {
                        TProtocol in = HostFrame.reading(new ByteSlice(input));
                        return ThriftEnvelope.readReply(in, name, reader::read);
                    } catch (TException | RuntimeException e) {
                        return null;
                    }
                });
    }

    private static TransactionAnswer undecided() {
        return new TransactionAnswer(
                0, List.of(new TransactionAnswer.Prepared(7, BLOCK), new TransactionAnswer.Prepared(8, PLAIN)), false);
    }

    private static void checkTransaction(TransactionCodec.Ask ask) throws TException {
        TransactionCodec.Ask same = TransactionCodec.readRequest(
                again(out -> TransactionCodec.writeRequest(out, ask.coordinator(), ask.request(), 9)), CLOCK);
        assertThat(same.coordinator()).isEqualTo(ask.coordinator());
        assertThat(same.request()).isEqualTo(ask.request());
    }

    public static List<FuzzTarget<?>> all() {
        return List.of(
                calls(
                                "put",
                                in -> PutCodec.readRequest(in, CLOCK),
                                out -> PutCodec.writeRequest(out, put(null), null, 1000),
                                out -> PutCodec.writeRequest(out, put(new IdempotencyKey("key", true)), TRACE, 1000))
                        .checked(HostTargets::checkPut),
                calls(
                                "get",
                                in -> FetchCodec.readRequest(in, CLOCK),
                                out -> FetchCodec.writeRequest(
                                        out, get(new FetchFrom.Offset(7)), Duration.ofSeconds(1), null, 9),
                                out -> FetchCodec.writeRequest(
                                        out, get(new FetchFrom.Time(7)), Duration.ZERO, TRACE, 9))
                        .checked(HostTargets::checkGet),
                calls(
                                "describe",
                                PartitionsCodec::readDescribe,
                                out -> PartitionsCodec.writeDescribe(out, List.of(PARTITION, PARTITION)))
                        .checked(partitions -> assertThat(PartitionsCodec.readDescribe(
                                        again(out -> PartitionsCodec.writeDescribe(out, partitions))))
                                .isEqualTo(partitions)),
                calls(
                        "offset-at",
                        in -> PartitionsCodec.readOffsetAt(in, CLOCK),
                        out -> PartitionsCodec.writeOffsetAt(out, PARTITION, 1, 2)),
                calls(
                                "transaction",
                                in -> TransactionCodec.readRequest(in, CLOCK),
                                out -> TransactionCodec.writeRequest(
                                        out, PARTITION, TransactionRequest.prepare(PARTITION, BLOCK), 9),
                                out -> TransactionCodec.writeRequest(
                                        out, PARTITION, TransactionRequest.commit(PARTITION, 7), 9))
                        .checked(HostTargets::checkTransaction),
                answers(
                                "transaction-answer",
                                TransactionCodec::readAnswer,
                                out -> TransactionCodec.writeAnswer(out, TransactionAnswer.of(7)),
                                out -> TransactionCodec.writeAnswer(out, undecided()))
                        .checked(answer -> assertThat(TransactionCodec.readAnswer(
                                        again(out -> TransactionCodec.writeAnswer(out, answer))))
                                .isEqualTo(answer)),
                calls("trim", PartitionsCodec::readTrim, out -> PartitionsCodec.writeTrim(out, PARTITION, 1, 2)),
                answers(
                                "put-answer",
                                in -> PutCodec.readResult(in, 5),
                                out -> PutCodec.writeResult(
                                        out, new PutResult(5, 7, 3, 9, Durability.DISK, true, true)))
                        .checked(result -> assertThat(
                                        PutCodec.readResult(again(out -> PutCodec.writeResult(out, result)), 5))
                                .isEqualTo(result)),
                answers("get-answer", FetchCodec::readResult, out -> FetchCodec.writeResult(out, got()))
                        .checked(result -> assertThat(
                                        FetchCodec.readResult(again(out -> FetchCodec.writeResult(out, result))))
                                .isEqualTo(result)),
                answers(
                                "describe-answer",
                                PartitionsCodec::readStatuses,
                                out -> PartitionsCodec.writeStatuses(
                                        out,
                                        new PartitionStatuses(
                                                List.of(new PartitionStatus(PARTITION, "gw-1", 1, 2, 3, 4, "token")),
                                                true)))
                        .checked(statuses -> assertThat(PartitionsCodec.readStatuses(
                                        again(out -> PartitionsCodec.writeStatuses(out, statuses))))
                                .isEqualTo(statuses)),
                FuzzTarget.of("host-greet-answer", List.of(greeting()), input -> handshake(input, false))
                        .allocating(128, 1 << 20),
                FuzzTarget.of("host-prove-answer", List.of(proof()), input -> handshake(input, true))
                        .allocating(128, 1 << 20));
    }

    private static byte[] frame(ThriftEnvelope.StructWriter writer) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            HostFrame.of(writer).slices().forEach(slice -> bytes.write(slice.array(), slice.offset(), slice.length()));
            byte[] all = bytes.toByteArray();
            return java.util.Arrays.copyOfRange(all, HostFrame.LENGTH_BYTES, all.length);
        } catch (TException e) {
            throw new AssertionError("what was read cannot be written", e);
        }
    }

    private static TProtocol again(ThriftEnvelope.StructWriter writer) throws TException {
        return HostFrame.reading(new ByteSlice(frame(writer)));
    }

    // --- Puts and gets ---

    private static PutRequest put(@Nullable IdempotencyKey key) {
        return new PutRequest(
                PARTITION,
                new MessageBatch(List.of(BLOCK, PLAIN)),
                key,
                key == null ? null : Durability.DISK,
                Priority.Importance.HIGH,
                Budget.deadline(CLOCK, 1000),
                null);
    }

    private static void checkPut(PutRequest put) throws TException {
        PutRequest other =
                PutCodec.readRequest(again(out -> PutCodec.writeRequest(out, put, context(put.trace()), 1000)), CLOCK);
        assertThat(other.partition()).isEqualTo(put.partition());
        assertThat(other.batch().blocks()).isEqualTo(put.batch().blocks());
        assertThat(other.idempotencyKey()).isEqualTo(put.idempotencyKey());
        assertThat(other.durability()).isEqualTo(put.durability());
        assertThat(other.importance()).isEqualTo(put.importance());
        assertThat(context(other.trace())).isEqualTo(context(put.trace()));
    }

    private static FetchRequest get(FetchFrom from) {
        return new FetchRequest(
                PARTITION,
                from,
                10,
                1 << 20,
                Duration.ofSeconds(1),
                Priority.Importance.NORMAL,
                Budget.deadline(CLOCK, 1000),
                null);
    }

    private static void checkGet(FetchRequest get) throws TException {
        FetchRequest other = FetchCodec.readRequest(
                again(out -> FetchCodec.writeRequest(out, get, get.maxWait(), context(get.trace()), 9)), CLOCK);
        assertThat(other.partition()).isEqualTo(get.partition());
        assertThat(other.from()).isEqualTo(get.from());
        assertThat(other.maxMessages()).isEqualTo(get.maxMessages());
        assertThat(other.maxBytes()).isEqualTo(get.maxBytes());
        assertThat(other.maxWait()).isEqualTo(get.maxWait());
        assertThat(other.importance()).isEqualTo(get.importance());
        assertThat(context(other.trace())).isEqualTo(context(get.trace()));
    }

    private static FetchResult got() {
        return new FetchResult(List.of(new StoredBlock(7, 8, BLOCK), new StoredBlock(10, 8, PLAIN)), 7, 1, 11, true);
    }

    // --- Handshakes ---

    private static CallerHandshake caller() throws TException {
        HostIdentity self = new HostIdentity("cluster", "gw-1", new ClusterSecret("a secret of the cluster"));
        CallerHandshake handshake = new CallerHandshake(self, 1, new Peer("gw-2", 2, "h:1"), new Random(3));
        handshake.greet();
        return handshake;
    }

    private static byte[] greeting() {
        GreetResponse response = new GreetResponse("gw-2", 2, ByteBuffer.allocate(32));
        return frame(out -> HostMethods.GREET.writeResult(out, 0, response));
    }

    private static byte[] proof() {
        ProveResponse response = new ProveResponse(ByteBuffer.allocate(32));
        return frame(out -> HostMethods.PROVE.writeResult(out, 0, response));
    }

    /** A greeting is believed, and a proof never: nobody guesses it. */
    private static Boolean handshake(byte[] input, boolean greeted) throws TException {
        CallerHandshake handshake = caller();
        if (greeted) {
            handshake.answered(new ByteSlice(greeting()));
        }
        try {
            handshake.answered(new ByteSlice(input));
        } catch (TException e) {
            // It is not believed.
        }
        assertThat(handshake.isComplete()).isFalse();
        return true;
    }
}
