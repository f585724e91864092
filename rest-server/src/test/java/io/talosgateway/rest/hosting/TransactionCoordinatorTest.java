package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.MessageBatch;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.transaction.TransactionCoordinators;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Transactions at the owner of their partition: real hosting and journal on a simulated ZooKeeper and HDFS. */
final class TransactionCoordinatorTest {

    private static final TopicPartition COORDINATOR = TransactionBook.COORDINATORS.partition(0);
    private static final TopicMetadata TOPIC = SimulatedCluster.topic(2, Duration.ofDays(1));
    private static final TopicPartition PARTITION = TOPIC.partition(0);
    /** As many puts with keys as a host of the simulation remembers of a partition. */
    private static final int REMEMBERED = 1_000;

    private final SimulatedCluster cluster = new SimulatedCluster(TOPIC, SimulatedCluster.AT_ONCE);
    private SimulatedHost owner;

    TransactionCoordinatorTest() {
        cluster.zooKeeper.topics.add(TransactionBook.COORDINATORS);
        owner = cluster.start("a");
        cluster.pass(1_000);
    }

    private static MessageBlock block(String text) {
        return new MessageBlock(1, 0, ByteSlice.utf8(text), MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY);
    }

    private CompletableFuture<TransactionAnswer> ask(TransactionRequest request) {
        return owner.partitions.askTransaction(COORDINATOR, request, Deadline.NONE);
    }

    /** Lets a few seconds pass, if it is not done before. */
    private void await(CompletableFuture<?> answer) {
        for (int step = 0; step < 100 && !answer.isDone(); step++) {
            cluster.pass(50);
        }
    }

    private TransactionAnswer answer(TransactionRequest request) {
        CompletableFuture<TransactionAnswer> answer = ask(request);
        await(answer);
        assertThat(answer).isCompleted();
        return answer.join();
    }

    private long prepare(String text) {
        return answer(TransactionRequest.prepare(PARTITION, block(text))).id();
    }

    private void commit(long id) {
        assertThat(answer(TransactionRequest.commit(PARTITION, id)).id()).isEqualTo(id);
    }

    private ErrorCode failure(TransactionRequest request) {
        CompletableFuture<TransactionAnswer> answer = ask(request);
        await(answer);
        assertThat(answer).isCompletedExceptionally();
        return GatewayException.in(answer.handle((result, failure) -> failure).join())
                .orElseThrow()
                .code();
    }

    private List<Long> undecided() {
        return answer(TransactionRequest.undecided(PARTITION)).transactions().stream()
                .map(TransactionAnswer.Prepared::id)
                .toList();
    }

    /** What readers see. */
    private List<String> stored() {
        PartitionLog log = owner.hosting.get(PARTITION).log();
        List<String> stored = new ArrayList<>();
        long offset = log.logStartOffset();
        while (offset < log.durableOffset()) {
            var read = log.read(offset, 1_000, 1 << 20);
            read.blocks().forEach(one -> stored.add(one.block().data().utf8()));
            offset = read.endOffset();
        }
        return stored;
    }

    private void sweep() {
        owner.transactions.sweep();
        cluster.pass(2_000);
    }

    private void passTimeout() {
        for (long seconds = 0; seconds < TransactionCoordinators.TIMEOUT.toSeconds(); seconds++) {
            cluster.pass(1_000);
        }
    }

    /** The host dies, and another one owns the partitions. */
    private void takeOver() {
        cluster.die(owner);
        owner = cluster.start(owner.name.equals("a") ? "b" : "a");
        cluster.pass(2_000);
        assertThat(owner.hosting.find(COORDINATOR)).isNotNull();
        assertThat(owner.hosting.find(PARTITION)).isNotNull();
    }

    /** Asks for a commit, and stops when it is decided: the block cannot be stored yet. */
    private CompletableFuture<TransactionAnswer> commitUntilDecided(long id) {
        PartitionLog log = owner.hosting.get(COORDINATOR).log();
        long before = log.durableOffset();
        CompletableFuture<TransactionAnswer> commit = ask(TransactionRequest.commit(PARTITION, id));
        while (log.durableOffset() == before) {
            owner.threads.step(cluster.random);
        }
        assertThat(commit).isNotDone();
        return commit;
    }

    @Test
    void answersWhenItsChangesAreDurable() {
        CompletableFuture<TransactionAnswer> prepared = ask(TransactionRequest.prepare(PARTITION, block("one")));
        CompletableFuture<TransactionAnswer> told = ask(TransactionRequest.undecided(PARTITION));
        assertThat(prepared).isNotDone();
        assertThat(told).as("rests on what is not durable").isNotDone();
        await(prepared);
        assertThat(told.join().transactions())
                .containsExactly(new TransactionAnswer.Prepared(prepared.join().id(), block("one")));
        assertThat(stored()).isEmpty();
    }

    @Test
    void committedBlockIsStoredOnceWhoeverRepeatsTheCommit() {
        long id = prepare("one");
        commit(id);
        commit(id);
        takeOver();
        commit(id);
        assertThat(stored()).containsExactly("one");
        assertThat(failure(TransactionRequest.rollback(PARTITION, id))).isEqualTo(ErrorCode.TRANSACTION_FINISHED);
        assertThat(undecided()).isEmpty();
    }

    @Test
    void nextOwnerKnowsWhatIsPreparedAndGivesAWholeTimeout() {
        long id = prepare("one");
        cluster.pass(TransactionCoordinators.TIMEOUT.toMillis() - 5_000);
        takeOver();
        cluster.pass(TransactionCoordinators.TIMEOUT.toMillis() - 10_000);
        sweep();
        assertThat(undecided()).containsExactly(id);
        commit(id);
        assertThat(stored()).containsExactly("one");
    }

    @Test
    void whatIsNotCommittedIsRolledBackAfterTheTimeout() {
        long id = prepare("one");
        passTimeout();
        sweep();
        assertThat(undecided()).isEmpty();
        assertThat(failure(TransactionRequest.commit(PARTITION, id))).isEqualTo(ErrorCode.TRANSACTION_FINISHED);
        takeOver();
        assertThat(failure(TransactionRequest.commit(PARTITION, id))).isEqualTo(ErrorCode.TRANSACTION_FINISHED);
        assertThat(stored()).isEmpty();
    }

    /** The owner dies after it has decided, before the block is stored or after. */
    @Test
    void nextOwnerEndsWhatIsDecidedWithoutBeingAsked() {
        for (int number = 0; number < 20; number++) {
            long id = prepare("message " + number);
            CompletableFuture<TransactionAnswer> commit = commitUntilDecided(id);
            for (int step = 0; step < number && !commit.isDone(); step++) {
                owner.threads.step(cluster.random);
            }
            takeOver();
            sweep();
            assertThat(stored()).as("after %d", number).hasSize(number + 1).doesNotHaveDuplicates();
            assertThat(owner.transactions.undelivered()).isZero();
            commit(id);
        }
        assertThat(stored()).hasSize(20).doesNotHaveDuplicates();
    }

    /** The put is stored, and whoever takes the partition over does not remember its key any more. */
    @Test
    void blockThatIsStoredIsFoundWhenItsKeyIsForgotten() {
        long id = prepare("one");
        putAll("before", 3);
        CompletableFuture<TransactionAnswer> commit = ask(TransactionRequest.commit(PARTITION, id));
        while (!stored().contains("one")) {
            owner.threads.step(cluster.random);
        }
        assertThat(commit).isNotDone();
        takeOver();
        assertThat(undecided()).isEmpty();
        assertThat(owner.transactions.undelivered())
                .as("that it is stored was not recorded")
                .isEqualTo(1);
        putAll("after", REMEMBERED);
        sweep();
        assertThat(owner.transactions.undelivered()).isZero();
        commit(id);
        assertThat(stored().stream().filter("one"::equals)).hasSize(1);
    }

    private void putAll(String what, int puts) {
        for (int number = 0; number < puts; number++) {
            CompletableFuture<?> put = owner.partitions.put(new PutRequest(
                    PARTITION,
                    new MessageBatch(List.of(block(what + " " + number))),
                    new IdempotencyKey(what + number, true),
                    null,
                    Priority.Importance.NORMAL,
                    Deadline.NONE,
                    null));
            await(put);
            assertThat(put).isCompleted();
        }
    }

    @Test
    void commitThatCannotBeStoredYetIsToldSoAndEndsLater() {
        long id = prepare("one");
        CompletableFuture<TransactionAnswer> commit = commitUntilDecided(id);
        owner.storage.full = true;
        await(commit);
        if (commit.isDone()) {
            assertThat(commit).isCompletedExceptionally();
        }
        assertThat(stored()).isEmpty();
        assertThat(failure(TransactionRequest.rollback(PARTITION, id))).isEqualTo(ErrorCode.TRANSACTION_FINISHED);
        owner.storage.full = false;
        cluster.pass(40_000);
        sweep();
        cluster.pass(2_000);
        commit(id);
        assertThat(stored()).containsExactly("one");
    }

    @Test
    void nothingIsDecidedWhileNobodyServesThePartition() {
        long id = prepare("one");
        cluster.zooKeeper.topics.remove(TOPIC);
        owner.hosting.release(TOPIC);
        cluster.pass(1_000);
        assertThat(failure(TransactionRequest.commit(PARTITION, id))).isEqualTo(ErrorCode.PARTITION_NOT_SERVING);
        assertThat(undecided()).containsExactly(id);
    }

    @Test
    void transactionsOfDeletedTopicsAreForgotten() {
        long id = prepare("one");
        commitUntilDecided(id);
        cluster.zooKeeper.topics.remove(TOPIC);
        cluster.die(owner);
        owner = cluster.start("b");
        cluster.pass(2_000);
        sweep();
        assertThat(owner.transactions.open()).isZero();
        assertThat(failure(TransactionRequest.commit(PARTITION, id))).isEqualTo(ErrorCode.TRANSACTION_NOT_FOUND);
    }

    @Test
    void logIsWrittenAnewAndShortenedAndIdsGoOn() {
        long open = prepare("open");
        long last = open;
        for (int number = 0; number < 200; number++) {
            last = prepare("message " + number);
            if (number % 2 == 0) {
                commit(last);
            } else {
                answer(TransactionRequest.rollback(PARTITION, last));
            }
        }
        PartitionLog log = owner.hosting.get(COORDINATOR).log();
        assertThat(log.durableOffset()).as("messages in all").isGreaterThan(400);
        assertThat(log.durableOffset() - log.logStartOffset())
                .as("messages that are kept")
                .isLessThan(300);
        assertThat(stored()).hasSize(100).doesNotHaveDuplicates();
        takeOver();
        assertThat(undecided()).containsExactly(open);
        assertThat(prepare("next")).isGreaterThan(last);
    }

    @Test
    void ownerThatHasLostItsSessionUnawaresAnswersNothing() {
        long id = prepare("one");
        SimulatedHost old = owner;
        old.paused = true;
        old.zooKeeper.expire();
        owner = cluster.start("b");
        cluster.pass(2_000);
        commit(id);
        for (TransactionRequest request : List.of(
                TransactionRequest.undecided(PARTITION),
                TransactionRequest.rollback(PARTITION, id),
                TransactionRequest.prepare(PARTITION, block("two")))) {
            CompletableFuture<?> answer = old.partitions.askTransaction(COORDINATOR, request, Deadline.NONE);
            assertThat(answer).isCompletedExceptionally();
        }
        old.transactions.sweep();
        assertThat(stored()).containsExactly("one");
    }
}
