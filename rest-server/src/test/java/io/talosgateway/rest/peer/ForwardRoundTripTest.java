package io.talosgateway.rest.peer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.forwarding.Forwarder;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutCondition;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import static io.talosgateway.rest.peer.ForwardFixture.PARTITION;
import static io.talosgateway.rest.peer.ForwardFixture.failure;
import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;

/** What is asked and answered between two hosts arrives as it was, over real sockets. */
class ForwardRoundTripTest {

    private final ForwardFixture fixture;
    private final ForwardFixture.Owner owner;
    private final Forwarder forwarder;

    ForwardRoundTripTest() throws Exception {
        fixture = hosts();
        owner = fixture.owner("owner");
        forwarder = fixture.forwarder();
    }

    /** Hosts that speak clear text. */
    ForwardFixture hosts() throws Exception {
        return new ForwardFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    private static ByteSlice bytes(int length) {
        byte[] around = new byte[length + 20];
        new Random(length).nextBytes(around);
        return new ByteSlice(around, 7, length);
    }

    static Stream<PutRequest> puts() {
        MessageBatch everything = new MessageBatch(List.of(
                new MessageBlock(3, 4, bytes(1), MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY),
                new MessageBlock(1, 0, bytes(3_000_000), 1_700_000_000_000L, bytes(5)),
                new MessageBlock(100_000, 2, bytes(2048), 0, bytes(70_000))));
        MessageBatch small = ForwardFixture.batch("x");
        return Stream.of(
                new PutRequest(
                        PARTITION,
                        everything,
                        new IdempotencyKey("schlüssel", true),
                        Durability.MEMORY,
                        Priority.Importance.HIGH,
                        Deadline.NONE,
                        null),
                new PutRequest(
                        PARTITION,
                        small,
                        new IdempotencyKey("k".repeat(256), false),
                        Durability.DISK,
                        Priority.Importance.LOW,
                        Deadline.NONE,
                        null),
                new PutRequest(PARTITION, small, null, null, Priority.Importance.NORMAL, Deadline.NONE, null),
                fixture("a").onlyIf(new PutCondition(1L << 40, null)),
                fixture("a").onlyIf(new PutCondition(0L, "token")));
    }

    private static PutRequest fixture(String payload) {
        return new PutRequest(
                PARTITION, ForwardFixture.batch(payload), null, null, Priority.Importance.NORMAL, Deadline.NONE, null);
    }

    @ParameterizedTest
    @MethodSource("puts")
    void putArrivesAsItWas(PutRequest put) throws Exception {
        PutResult result = new PutResult(3, 1L << 40, 7, 1_700_000_000_001L, Durability.MEMORY, true, true);
        owner.partitions().onPut = request -> CompletableFuture.completedFuture(result);

        assertThat(get(forwarder.owner(owner.peer()).put(put))).isEqualTo(result);

        PutRequest arrived = owner.partitions().nextPut();
        assertThat(arrived.partition()).isEqualTo(put.partition());
        assertThat(arrived.batch().blocks()).isEqualTo(put.batch().blocks());
        assertThat(arrived.batch().checksum()).isEqualTo(put.batch().checksum());
        assertThat(arrived.idempotencyKey()).isEqualTo(put.idempotencyKey());
        assertThat(arrived.durability()).isEqualTo(put.durability());
        assertThat(arrived.importance()).isEqualTo(put.importance());
        assertThat(arrived.condition()).isEqualTo(put.condition());
        assertThat(arrived.forwarded()).isTrue();
    }

    static Stream<FetchFrom> begins() {
        return Stream.of(
                new FetchFrom.Offset(1L << 50),
                new FetchFrom.Earliest(),
                new FetchFrom.LastMessage(),
                new FetchFrom.Latest(),
                new FetchFrom.Time(1_700_000_000_000L));
    }

    @ParameterizedTest
    @MethodSource("begins")
    void getArrivesAsItWas(FetchFrom from) throws Exception {
        FetchResult result = new FetchResult(
                List.of(
                        new StoredBlock(
                                10, 99, new MessageBlock(2, 1, bytes(2_000_000), MessageBlock.NO_TIMESTAMP, bytes(9))),
                        new StoredBlock(12, 100, new MessageBlock(1, 0, bytes(1), 5, ByteSlice.EMPTY))),
                11,
                4,
                13,
                true);
        owner.partitions().onFetch = request -> CompletableFuture.completedFuture(result);

        assertThat(get(forwarder.owner(owner.peer()).fetch(getRequest(from, Duration.ofMillis(1500)))))
                .isEqualTo(result);

        FetchRequest arrived = owner.partitions().nextFetch();
        assertThat(arrived.partition()).isEqualTo(PARTITION);
        assertThat(arrived.from()).isEqualTo(from);
        assertThat(arrived.maxMessages()).isEqualTo(17);
        assertThat(arrived.maxBytes()).isEqualTo(1 << 20);
        assertThat(arrived.maxWait()).isEqualTo(Duration.ofMillis(1500));
        assertThat(arrived.importance()).isEqualTo(Priority.Importance.LOW);
        assertThat(arrived.forwarded()).isTrue();
    }

    private FetchRequest getRequest(FetchFrom from, Duration maxWait) {
        return new FetchRequest(PARTITION, from, 17, 1 << 20, maxWait, Priority.Importance.LOW, fixture.soon(), null);
    }

    @Test
    void ownerHasLessTimeThanTheCaller() throws Exception {
        Deadline deadline = fixture.in(Duration.ofSeconds(10));

        get(forwarder.owner(owner.peer()).put(fixture.put("x", null, deadline)));

        assertThat(owner.partitions().nextPut().deadline().isBefore(deadline)).isTrue();
    }

    @Test
    void partitionsThatAreNotServedAreLeftOut() throws Exception {
        TopicPartition other = new TopicPartition(PARTITION.topic(), 4);
        PartitionStatus status = new PartitionStatus(other, "owner:1", 5, 1L << 33, 7, 1L << 34, "token");
        for (boolean othersMove : new boolean[] {false, true}) {
            PartitionStatuses served = new PartitionStatuses(List.of(status), othersMove);
            owner.partitions().onFind = asked -> {
                assertThat(asked).containsExactly(PARTITION, other);
                return served;
            };
            assertThat(get(forwarder.owner(owner.peer()).describe(List.of(PARTITION, other), fixture.soon())))
                    .isEqualTo(served);
        }
    }

    @Test
    void offsetIsFoundByTheOwner() throws Exception {
        assertThat(get(forwarder.owner(owner.peer()).offsetAt(PARTITION, 1L << 41, fixture.soon())))
                .isEqualTo(1L << 41);
        assertThat(owner.partitions().others).containsExactly("offset of " + PARTITION + " at " + (1L << 41));
    }

    @Test
    void oldestMessagesAreDeletedByTheOwner() throws Exception {
        assertThat(get(forwarder.owner(owner.peer()).trim(PARTITION, 1, 1L << 35, fixture.soon())))
                .isNull();
        assertThat(owner.partitions().others).containsExactly("trim " + PARTITION + " 1-" + (1L << 35));
    }

    @Test
    void fencingTokenIsChangedByTheOwnerOrTold() throws Exception {
        FencingTokenChange first = new FencingTokenChange(PARTITION, "a", null);
        FencingTokenChange second = new FencingTokenChange(PARTITION, "b", "a");
        for (FencingTokenChange change : List.of(first, second)) {
            assertThat(get(forwarder.owner(owner.peer()).changeFencingToken(change, fixture.soon())))
                    .isNull();
        }
        assertThat(owner.partitions().others).containsExactly("fencing token " + first, "fencing token " + second);

        for (String has : new String[] {"b", null}) {
            owner.partitions().onFence = CompletableFuture.failedFuture(GatewayException.fenced(has));
            GatewayException failure = failure(forwarder.owner(owner.peer()).changeFencingToken(first, fixture.soon()));
            assertThat(failure.code()).isEqualTo(ErrorCode.FENCED);
            assertThat(failure.fencingToken()).isEqualTo(has);
        }
    }

    @Test
    void transactionsAreAskedForAtTheOwner() throws Exception {
        TopicPartition other = new TopicPartition(new TopicId(7, -8), 9);
        MessageBlock block =
                new MessageBlock(3, 2, ByteSlice.utf8("payload"), 1L << 41, new ByteSlice(new byte[] {1, 2, 0}));
        TransactionRequest prepare = TransactionRequest.prepare(other, block);
        TransactionAnswer prepared =
                get(forwarder.owner(owner.peer()).askTransaction(PARTITION, prepare, fixture.soon()));
        assertThat(prepared)
                .isEqualTo(new TransactionAnswer(7, List.of(new TransactionAnswer.Prepared(7, block)), false));

        List<TransactionRequest> others = List.of(
                TransactionRequest.commit(other, 1L << 40),
                TransactionRequest.rollback(other, 5),
                TransactionRequest.undecided(other));
        for (TransactionRequest request : others) {
            assertThat(get(forwarder.owner(owner.peer()).askTransaction(PARTITION, request, fixture.soon())))
                    .isEqualTo(TransactionAnswer.of(7));
        }
        assertThat(owner.partitions().others)
                .containsExactly(
                        PARTITION + " " + prepare,
                        PARTITION + " " + others.get(0),
                        PARTITION + " " + others.get(1),
                        PARTITION + " " + others.get(2));
    }

    @Test
    void whatWasUsedOfQuotasIsToldAndNothingNegative() throws Exception {
        UsedQuota first = new UsedQuota(PARTITION.topic(), 1, 1L << 40, 3, Long.MAX_VALUE);
        UsedQuota second = new UsedQuota(new TopicId(5, -6), 0, 0, 1, 0);

        get(forwarder.tell(owner.peer(), List.of(first, second)));

        assertThat(fixture.toldQuotas).containsExactly(first, second);
        failure(forwarder.tell(owner.peer(), List.of(new UsedQuota(PARTITION.topic(), 0, -1, 0, 0))));
        assertThat(fixture.toldQuotas).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource
    void everyErrorOfTheOwnerComesBack(ErrorCode code) throws Exception {
        owner.partitions().onPut =
                request -> CompletableFuture.failedFuture(new GatewayException(code, "This is why."));
        owner.partitions().onFetch = request -> {
            throw new GatewayException(code, "This is why.");
        };
        owner.partitions().onDelete = CompletableFuture.failedFuture(new GatewayException(code, "This is why."));

        for (CompletableFuture<?> answer : List.of(
                forwarder.owner(owner.peer()).put(fixture.put("x")),
                forwarder.owner(owner.peer()).fetch(getRequest(new FetchFrom.Earliest(), Duration.ZERO)),
                forwarder.owner(owner.peer()).trim(PARTITION, 1, 2, fixture.soon()))) {
            GatewayException failure = failure(answer);
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.retry()).isEqualTo(code.retry());
            assertThat(failure.detail()).isEqualTo("This is why.");
        }
    }

    @Test
    void unknownOutcomeWithKeyComesBackAsSafeToRepeat() throws Exception {
        owner.partitions().onPut = request -> CompletableFuture.failedFuture(
                new GatewayException(ErrorCode.OUTCOME_UNKNOWN, "Who knows.").withIdempotencyKey());

        assertThat(failure(forwarder.owner(owner.peer()).put(fixture.put("x"))).retry())
                .isEqualTo(RetryAdvice.SAME_KEY);
    }

    @Test
    void mistakeOfTheOwnerIsAnInternalError() throws Exception {
        owner.partitions().onPut = request -> {
            throw new IllegalStateException("a bug");
        };

        assertThat(failure(forwarder.owner(owner.peer()).put(fixture.put("x"))).code())
                .isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void manyPutsShareFewConnectionsAndEachGetsItsAnswer() throws Exception {
        Forwarder narrow = fixture.forwarder(ForwardFixture.config(3, 1, 1000, 1 << 20));
        List<CompletableFuture<PutResult>> answers = new ArrayList<>();
        for (int number = 0; number < 500; number++) {
            MessageBatch batch =
                    new MessageBatch(List.of(new MessageBlock(1 + number, 0, bytes(10), number, ByteSlice.EMPTY)));
            answers.add(narrow.owner(owner.peer())
                    .put(new PutRequest(
                            PARTITION, batch, null, null, Priority.Importance.NORMAL, fixture.soon(), null)));
        }

        for (int number = 0; number < 500; number++) {
            assertThat(get(answers.get(number)).firstOffset()).isEqualTo(number);
            assertThat(get(answers.get(number)).messageCount()).isEqualTo(1 + number);
        }
        assertThat(owner.server().openConnections()).isBetween(1, 3);
    }

    @Test
    void waitingGetDoesNotTakeTheConnectionOfPuts() throws Exception {
        Forwarder narrow = fixture.forwarder(ForwardFixture.config(1, 1, 10, 1 << 20));
        CompletableFuture<FetchResult> waiting =
                narrow.owner(owner.peer()).fetch(getRequest(new FetchFrom.Latest(), Duration.ofSeconds(9)));
        owner.partitions().nextFetch();

        get(narrow.owner(owner.peer()).put(fixture.put("x")));

        assertThat(waiting).isNotDone();
    }

    @Test
    void getThatFindsNoPlaceToWaitIsAskedWithoutWaiting() throws Exception {
        Forwarder narrow = fixture.forwarder(ForwardFixture.config(1, 1, 10, 1 << 20));
        FetchResult nothing = new FetchResult(List.of(), 0, 0, 0, true);
        CompletableFuture<FetchResult> waits = new CompletableFuture<>();
        owner.partitions().onFetch =
                request -> request.maxWait().isZero() ? CompletableFuture.completedFuture(nothing) : waits;
        CompletableFuture<FetchResult> first =
                narrow.owner(owner.peer()).fetch(getRequest(new FetchFrom.Latest(), Duration.ofSeconds(9)));
        // Whoever has an answer may ask for the place at once.
        CompletableFuture<FetchResult> second = first.thenCompose(
                result -> narrow.owner(owner.peer()).fetch(getRequest(new FetchFrom.Latest(), Duration.ofSeconds(9))));
        owner.partitions().nextFetch();

        assertThat(get(narrow.owner(owner.peer()).fetch(getRequest(new FetchFrom.Latest(), Duration.ofSeconds(9)))))
                .isEqualTo(nothing);
        assertThat(owner.partitions().nextFetch().maxWait()).isZero();

        waits.complete(nothing);
        get(second);
        assertThat(owner.partitions().nextFetch().maxWait()).isEqualTo(Duration.ofSeconds(9));
    }

    @Test
    void largeAnswerIsTakenByTheOwnersAdmissionAndGivenBack() throws Exception {
        byte[] payload = new byte[8 << 20];
        Arrays.fill(payload, (byte) 3);
        FetchResult result = new FetchResult(
                List.of(new StoredBlock(0, 1, new MessageBlock(1, 0, new ByteSlice(payload), 2, ByteSlice.EMPTY))),
                0,
                0,
                1,
                true);
        owner.partitions().onFetch = request -> CompletableFuture.completedFuture(result);

        assertThat(get(forwarder.owner(owner.peer()).fetch(getRequest(new FetchFrom.Earliest(), Duration.ZERO))))
                .isEqualTo(result);

        Await.until(() -> owner.admission().requestsInFlight() == 0);
    }

    @Test
    void hostThatShutsDownTakesNothing() throws Exception {
        owner.admission().drain();

        assertThat(failure(forwarder.owner(owner.peer()).put(fixture.put("x"))).code())
                .isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(owner.partitions().puts).isEmpty();
    }
}
