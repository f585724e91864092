package io.talosgateway.rest.peer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** An owner that answers something else than it was asked: the connection ends, and the put has one honest answer. */
final class ForwardBadAnswersTest {

    private static final int MAX_FRAME = 1 << 16;
    private static final String PUT = HostMethods.TRANSFER_PUT_MESSAGE.name();

    private final ForwardFixture fixture = new ForwardFixture();
    private final SteppedTime time = new SteppedTime();
    private final CollectorRegistry registry = new CollectorRegistry();
    private final ScriptedOwner owner = new ScriptedOwner();
    private final Forwarder forwarder;

    ForwardBadAnswersTest() throws Exception {
        forwarder = fixture.forwarder(withMaxFrame(MAX_FRAME), time, registry);
    }

    private static ForwardConfig withMaxFrame(long maxFrame) {
        ForwardConfig some = ForwardFixture.config(1, 1, 100, 1 << 20);
        return new ForwardConfig(
                some.maxConnections(),
                some.maxWaitingGets(),
                some.maxQueued(),
                some.maxQueuedSize(),
                new DataSize(maxFrame),
                some.connectTimeout(),
                some.idleTimeout(),
                some.reserve(),
                some.minBackOff(),
                some.maxBackOff());
    }

    @AfterEach
    void close() throws Exception {
        owner.close();
        fixture.close();
    }

    private CompletableFuture<PutResult> put(String payload) {
        return forwarder
                .owner(owner.peer())
                .put(fixture.put(payload, null, Deadline.after(time, Duration.ofSeconds(9))));
    }

    private double answered(String outcome) {
        Double count = registry.getSampleValue(
                "talos_forward_requests_total",
                new String[] {"host", "kind", "outcome"},
                new String[] {ScriptedOwner.NAME, "put", outcome});
        return count == null ? 0 : count;
    }

    /** What the owner sends instead of an answer. */
    record Bad(String what, ByteSlice bytes) {

        Bad(String what, byte[] bytes) {
            this(what, new ByteSlice(bytes));
        }

        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Bad> bad() throws Exception {
        return Stream.of(
                new Bad("frame of 0 bytes", length(0)),
                new Bad("frame of -1 bytes", length(-1)),
                new Bad("frame of 2 GiB", length(Integer.MAX_VALUE)),
                new Bad("frame that is a byte too large", length(MAX_FRAME + 1)),
                new Bad("answer to the next call", frame(ScriptedOwner.Asked.result(2, 5))),
                new Bad("answer to call 0", frame(ScriptedOwner.Asked.result(0, 5))),
                new Bad("a call", frame(out -> ThriftEnvelope.writeCall(out, PUT, 1, "request", null))),
                new Bad("a one-way call", frame(out -> out.writeMessageBegin(header(TMessageType.ONEWAY)))),
                new Bad(
                        "two answers",
                        joined(frame(ScriptedOwner.Asked.result(1, 5)), frame(ScriptedOwner.Asked.result(1, 5)))),
                new Bad("HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII)),
                new Bad("wrong protocol", joined(length(4), new byte[] {(byte) 0x80, 1, 0, 2})),
                new Bad("wrong version", joined(length(4), new byte[] {(byte) 0x82, (byte) 0x5f, 1, 0})));
    }

    private static TMessage header(byte type) {
        return new TMessage(PUT, type, 1);
    }

    private static byte[] length(int length) {
        return ByteBuffer.allocate(4).putInt(length).array();
    }

    private static byte[] frame(ThriftEnvelope.StructWriter message) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (ByteSlice slice : HostFrame.of(message).slices()) {
            bytes.write(slice.toByteArray());
        }
        return bytes.toByteArray();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        return ByteBuffer.allocate(first.length + second.length)
                .put(first)
                .put(second)
                .array();
    }

    @ParameterizedTest
    @MethodSource("bad")
    void badAnswerEndsTheConnectionAndLeavesThePutUnknown(Bad answer) throws Exception {
        try (LogLines log = new LogLines()) {
            CompletableFuture<PutResult> put = put("x");
            try (ScriptedOwner.Line line = owner.acceptHost()) {
                line.nextPut();
                line.raw().sendBytes(answer.bytes().toByteArray());

                assertThat(failure(put).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
                assertThat(line.raw().isEnded()).isTrue();
            }
            assertThat(log.withStackTrace()).isEmpty();
        }
        assertNextPutIsStored();
        assertThat(answered("outcome-unknown")).isEqualTo(1);
        assertThat(answered("ok")).isEqualTo(1);
    }

    private void assertNextPutIsStored() throws Exception {
        CompletableFuture<PutResult> next = put("next");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.stored(line.nextPut(), 77);
            assertThat(get(next).firstOffset()).isEqualTo(77);
        }
    }

    @Test
    void randomBytesEndTheConnectionAndLeaveThePutUnknown() throws Exception {
        try (LogLines log = new LogLines()) {
            for (int seed = 0; seed < 300; seed++) {
                Random random = new Random(seed);
                byte[] body = new byte[1 + random.nextInt(200)];
                random.nextBytes(body);
                CompletableFuture<PutResult> put = put("x");
                try (ScriptedOwner.Line line = owner.acceptHost()) {
                    line.nextPut();
                    line.raw().sendBytes(joined(length(body.length), body));

                    assertThat(failure(put).code()).as("seed %d", seed).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
                    assertThat(line.raw().isEnded()).as("seed %d", seed).isTrue();
                }
            }
            assertThat(log.withStackTrace()).isEmpty();
        }
        assertThat(answered("outcome-unknown")).isEqualTo(300);
    }

    @Test
    void randomBytesBehindAGoodHeaderLeaveThePutUnknownAndTheConnectionInStep() throws Exception {
        byte[] header = frame(out -> out.writeMessageBegin(header(TMessageType.REPLY)));
        int sequenceAt = 4 + 2;
        try (LogLines log = new LogLines()) {
            CompletableFuture<PutResult> put = put("x");
            try (ScriptedOwner.Line line = owner.acceptHost()) {
                for (int seed = 0; seed < 120; seed++) {
                    byte[] body = new byte[1 + new Random(seed).nextInt(200)];
                    new Random(seed).nextBytes(body);
                    header[sequenceAt] = (byte) line.nextPut().sequence();
                    byte[] message = joined(header, body);
                    System.arraycopy(length(message.length - 4), 0, message, 0, 4);
                    line.raw().sendBytes(message);

                    assertThat(failure(put).code()).as("seed %d", seed).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
                    put = put("x");
                }
                line.stored(line.nextPut(), 9);
                assertThat(get(put).firstOffset()).isEqualTo(9);
            }
            assertThat(log.withStackTrace()).isEmpty();
        }
        assertThat(answered("outcome-unknown")).isEqualTo(120);
    }

    @Test
    void whoeverSeesTheAnswerSeesItCounted() throws Exception {
        CompletableFuture<PutResult> good = put("good");
        CompletableFuture<Double> goodCounted = good.thenApply(result -> answered("ok"));
        CompletableFuture<PutResult> bad = put("bad");
        CompletableFuture<Double> badCounted = bad.handle((result, failure) -> answered("outcome-unknown"));
        CompletableFuture<Double> timed = good.thenApply(result -> registry.getSampleValue(
                "talos_forward_seconds_count", new String[] {"host"}, new String[] {ScriptedOwner.NAME}));
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.stored(line.nextPut(), 1);
            assertThat(get(goodCounted)).isEqualTo(1);
            assertThat(get(timed)).isEqualTo(1);
            line.nextPut();
            line.raw().sendBytes(length(0));
            assertThat(get(badCounted)).isEqualTo(1);
        }
    }

    @Test
    void putThatTheCallerGivesUpIsCountedOnceWhateverItsAnswer() throws Exception {
        CompletableFuture<PutResult> given = put("given up");
        CompletableFuture<PutResult> next = put("next");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked asked = line.nextPut();
            given.cancel(false);
            assertThat(answered("cancelled")).isEqualTo(1);
            line.stored(asked, 1);
            line.stored(line.nextPut(), 2);
            assertThat(get(next).firstOffset()).isEqualTo(2);
        }
        assertThat(answered("cancelled")).isEqualTo(1);
        assertThat(answered("ok")).isEqualTo(1);
    }

    @Test
    void answerThatNobodyAskedForEndsTheConnection() throws Exception {
        CompletableFuture<PutResult> put = put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            ScriptedOwner.Asked asked = line.nextPut();
            line.stored(asked, 1);
            assertThat(get(put).firstOffset()).isEqualTo(1);
            line.stored(asked, 2);

            assertThat(line.raw().isEnded()).isTrue();
        }
        assertNextPutIsStored();
    }

    @Test
    void largestAnswerIsTaken() throws Exception {
        CompletableFuture<PutResult> put = put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            byte[] answer = frame(ScriptedOwner.Asked.result(1, 5));
            byte[] padded = new byte[MAX_FRAME + 4];
            System.arraycopy(answer, 0, padded, 0, answer.length); // what is behind the message is not looked at
            System.arraycopy(length(MAX_FRAME), 0, padded, 0, 4);
            line.raw().sendBytes(padded);

            assertThat(get(put).firstOffset()).isEqualTo(5);
        }
    }

    @Test
    void hostThatUnderstandsNoSuchCallHasDoneNothing() throws Exception {
        CompletableFuture<PutResult> put = put("x");
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            line.nextPut();
            line.answer(out -> ThriftEnvelope.writeApplicationException(
                    out, PUT, 1, new TApplicationException(TApplicationException.UNKNOWN_METHOD, "what?")));

            GatewayException failure = failure(put);
            assertThat(failure.code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            assertThat(failure.detail()).contains("nothing was done").doesNotContain("what?");
        }
    }

    @Test
    void requestBeyondTheFrameIsRefusedBeforeItIsSent() throws Exception {
        CompletableFuture<PutResult> put = put("y".repeat(MAX_FRAME));
        try (ScriptedOwner.Line line = owner.acceptHost()) {
            assertThat(failure(put).code()).isEqualTo(ErrorCode.REQUEST_TOO_LARGE);

            CompletableFuture<PutResult> next = put("x");
            line.stored(line.nextPut(), 3);
            assertThat(get(next).firstOffset()).isEqualTo(3);
        }
    }

    @Test
    void strangerAtTheAddressGetsNoMemoryForItsAnswer() throws Exception {
        for (byte[] greeting : List.of(length(MAX_FRAME), length(0), length(-1))) {
            CompletableFuture<PutResult> put = put("x");
            try (RawConnection stranger = owner.accept()) {
                ScriptedOwner.readGreeting(stranger);
                stranger.sendBytes(greeting);

                assertThat(stranger.isEnded()).isTrue(); // at once: the clock stands still
            }
            assertThat(failure(put).code()).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
            time.advance(ForwardConfig.DEFAULT.maxBackOff());
        }
    }
}
