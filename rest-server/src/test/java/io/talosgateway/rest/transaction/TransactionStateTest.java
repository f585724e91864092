package io.talosgateway.rest.transaction;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.statelog.Decider.Decision;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.transaction.TransactionState.Stage;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class TransactionStateTest {

    private static final TransactionConfig CONFIG = TransactionCoordinators.CONFIG;
    private static final TopicPartition PARTITION = new TopicPartition(new TopicId(1, 2), 3);
    private static final TopicPartition OTHER = new TopicPartition(new TopicId(1, 2), 4);
    private static final long MOST = Long.MAX_VALUE;

    private TransactionState state = new TransactionState(CONFIG);
    /** What was recorded. */
    private final List<TransactionRecord> log = new ArrayList<>();

    private long nowNanos;

    private static MessageBlock block(int bytes) {
        return new MessageBlock(1, 0, new ByteSlice(new byte[bytes]), 7, ByteSlice.EMPTY);
    }

    private <T> T made(Decision<TransactionRecord, T> decision) {
        log.addAll(decision.records());
        decision.records().forEach(record -> state.apply(record, nowNanos));
        return decision.answer();
    }

    private long prepare(TopicPartition partition, int bytes) {
        return made(state.prepare(partition, block(bytes))).id();
    }

    private long prepare() {
        return prepare(PARTITION, 10);
    }

    private void commit(long id) {
        assertThat(made(state.commit(PARTITION, id, 100))).isEqualTo(Stage.OPEN);
    }

    private void end(long id) {
        assertThat(made(state.delivered(id))).isTrue();
    }

    private List<Long> undecided(TopicPartition partition, int maxCount, long maxBytes) {
        return made(state.undecided(partition, maxCount, maxBytes)).transactions().stream()
                .map(TransactionAnswer.Prepared::id)
                .toList();
    }

    private static void assertRefused(ErrorCode code, ThrowingCallable request) {
        assertThatExceptionOfType(GatewayException.class)
                .isThrownBy(request)
                .satisfies(refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    /** As another owner reads it, of what is stored. */
    private TransactionState replayed(Collection<TransactionRecord> records) throws IOException {
        TransactionRecordCodec codec = new TransactionRecordCodec();
        TransactionState replayed = new TransactionState(CONFIG);
        for (MessageBlock stored : codec.encode(List.copyOf(records))) {
            for (TransactionRecord record : codec.decode(stored.data())) {
                replayed.apply(record, nowNanos);
            }
        }
        return replayed;
    }

    @Test
    void transactionIsCommitted() {
        long id = prepare();
        assertThat(state.stageForCommit(PARTITION, id)).isEqualTo(Stage.OPEN);
        assertThat(state.delivery(id)).isNull();

        commit(id);
        assertThat(state.delivery(id)).isEqualTo(new TransactionState.Delivery(id, PARTITION, block(10), 100));
        assertThat(made(state.commit(PARTITION, id, 200))).isEqualTo(Stage.DECIDED);
        assertThat(state.delivery(id).fromOffset())
                .as("the first decision counts")
                .isEqualTo(100);

        end(id);
        assertThat(state.delivery(id)).isNull();
        assertThat(made(state.delivered(id))).as("has ended before").isFalse();
        assertThat(made(state.commit(PARTITION, id, 300))).isEqualTo(Stage.COMMITTED);
        assertRefused(ErrorCode.TRANSACTION_FINISHED, () -> state.rollback(PARTITION, id));
    }

    @Test
    void whatIsDecidedIsNotRolledBack() {
        long id = prepare();
        commit(id);
        assertRefused(ErrorCode.TRANSACTION_FINISHED, () -> state.rollback(PARTITION, id));
        nowNanos += 2 * CONFIG.timeout().toNanos();
        assertThat(made(state.timeOut(nowNanos))).containsExactly(id);
        assertThat(state.delivery(id)).isNotNull();
    }

    @Test
    void transactionIsRolledBack() {
        long id = prepare();
        made(state.rollback(PARTITION, id));
        assertThat(made(state.rollback(PARTITION, id)).id()).as("again").isEqualTo(id);
        assertRefused(ErrorCode.TRANSACTION_FINISHED, () -> state.commit(PARTITION, id, 0));
        assertThat(undecided(PARTITION, 10, MOST)).isEmpty();
    }

    @Test
    void transactionTimesOut() {
        long old = prepare();
        nowNanos += CONFIG.timeout().toNanos() - 1;
        long young = prepare();
        made(state.timeOut(nowNanos));
        assertThat(undecided(PARTITION, 10, MOST)).containsExactly(old, young);

        nowNanos++;
        made(state.timeOut(nowNanos));
        assertThat(undecided(PARTITION, 10, MOST)).containsExactly(young);
        assertRefused(ErrorCode.TRANSACTION_FINISHED, () -> state.stageForCommit(PARTITION, old));
    }

    @Test
    void nextOwnerGivesWholeTimeouts() throws IOException {
        long id = prepare();
        nowNanos += CONFIG.timeout().toNanos() - 1;
        state = replayed(log);
        nowNanos += CONFIG.timeout().toNanos() - 1;
        made(state.timeOut(nowNanos));
        assertThat(undecided(PARTITION, 10, MOST)).containsExactly(id);
    }

    @Test
    void idIsOfOnePartitionOnly() {
        long id = prepare();
        long ended = prepare();
        made(state.rollback(PARTITION, ended));
        for (long other : new long[] {id, ended, 0, -1, 1_000}) {
            assertRefused(ErrorCode.TRANSACTION_NOT_FOUND, () -> state.commit(OTHER, other, 0));
            assertRefused(ErrorCode.TRANSACTION_NOT_FOUND, () -> state.rollback(OTHER, other));
        }
        assertThat(undecided(OTHER, 10, MOST)).isEmpty();
    }

    @Test
    void undecidedAreToldInPages() {
        List<Long> ids = List.of(prepare(), prepare(PARTITION, 30), prepare());
        prepare(OTHER, 10);
        assertThat(undecided(PARTITION, 10, MOST)).isEqualTo(ids);
        assertThat(made(state.undecided(PARTITION, 10, 50)).complete()).isTrue();
        assertThat(undecided(PARTITION, 10, 49)).isEqualTo(ids.subList(0, 2));
        assertThat(made(state.undecided(PARTITION, 10, 49)).complete()).isFalse();
        assertThat(undecided(PARTITION, 2, MOST)).isEqualTo(ids.subList(0, 2));
        assertThat(undecided(PARTITION, 10, 1)).as("one at least").isEqualTo(ids.subList(0, 1));
        commit(ids.get(0));
        assertThat(undecided(PARTITION, 10, 1)).isEqualTo(ids.subList(1, 2));
    }

    @Test
    void openTransactionsAreBoundedInNumberAndBytes() {
        long first = prepare();
        for (int number = 1; number < CONFIG.maxPrepared(); number++) {
            prepare(OTHER, 10);
        }
        assertRefused(ErrorCode.TOO_MANY_TRANSACTIONS, this::prepare);
        made(state.rollback(PARTITION, first));
        prepare();
        assertRefused(ErrorCode.TOO_MANY_TRANSACTIONS, this::prepare);
    }

    @Test
    void bytesOfOpenTransactionsAreBounded() {
        int most = CONFIG.maxPreparedSize().toBytesInt() - TransactionRecordCodec.OVERHEAD_BYTES;
        assertRefused(ErrorCode.INVALID_MESSAGE, () -> prepare(PARTITION, most + 1));
        long id = prepare(PARTITION, most);
        assertRefused(ErrorCode.TOO_MANY_TRANSACTIONS, () -> prepare(PARTITION, 1));
        commit(id);
        assertRefused(ErrorCode.TOO_MANY_TRANSACTIONS, () -> prepare(PARTITION, 1));
        end(id);
        prepare(PARTITION, most);
    }

    @Test
    void endedTransactionsAreRememberedTheNewest() {
        long first = prepare();
        made(state.rollback(PARTITION, first));
        long second = prepare();
        made(state.rollback(PARTITION, second));
        for (int number = 1; number < CONFIG.maxRemembered(); number++) {
            made(state.rollback(PARTITION, prepare()));
        }
        assertRefused(ErrorCode.TRANSACTION_NOT_FOUND, () -> state.rollback(PARTITION, first));
        assertThat(state.stage(PARTITION, second)).isEqualTo(Stage.ROLLED_BACK);
    }

    @Test
    void deletedTopicsAreForgotten() {
        long open = prepare();
        long decided = prepare();
        commit(decided);
        made(state.rollback(PARTITION, prepare()));
        TopicPartition ofOther = new TopicPartition(new TopicId(5, 6), 0);
        long other = prepare(ofOther, 10);
        assertThat(state.topics()).containsExactlyInAnyOrder(PARTITION.topic(), ofOther.topic());

        List<TransactionRecord> forgetting = state.forgetting(Set.of(PARTITION.topic(), new TopicId(7, 7)));
        assertThat(forgetting).containsExactly(new TransactionRecord.Forgotten(PARTITION.topic()));
        forgetting.forEach(record -> state.apply(record, nowNanos));
        assertThat(state.topics()).containsExactly(ofOther.topic());
        assertRefused(ErrorCode.TRANSACTION_NOT_FOUND, () -> state.stage(PARTITION, open));
        assertThat(state.delivery(decided)).isNull();
        assertThat(state.decidedCount()).isZero();
        assertThat(state.openCount()).isEqualTo(1);
        assertThat(undecided(ofOther, 10, MOST)).containsExactly(other);
    }

    @Test
    void recordsMakeTheSameState() throws IOException {
        long open = prepare();
        long decided = prepare();
        long committed = prepare();
        long rolledBack = prepare();
        commit(decided);
        commit(committed);
        made(state.moved(decided, 90));
        end(committed);
        made(state.rollback(PARTITION, rolledBack));

        for (List<TransactionRecord> records : List.of(log, state.asRecords(), both(log, state.asRecords()))) {
            TransactionState same = replayed(records);
            assertThat(same.size()).isEqualTo(state.size());
            assertThat(same.asRecords()).isEqualTo(state.asRecords());
            assertThat(same.stage(PARTITION, open)).isEqualTo(Stage.OPEN);
            assertThat(same.stage(PARTITION, committed)).isEqualTo(Stage.COMMITTED);
            assertThat(same.stage(PARTITION, rolledBack)).isEqualTo(Stage.ROLLED_BACK);
            assertThat(same.delivery(decided))
                    .isEqualTo(new TransactionState.Delivery(decided, PARTITION, block(10), 90));
        }
    }

    private static List<TransactionRecord> both(List<TransactionRecord> one, List<TransactionRecord> other) {
        List<TransactionRecord> both = new ArrayList<>(one);
        both.addAll(other);
        return both;
    }

    @Test
    void idsNeverRepeatAlsoWhenEverythingIsForgotten() throws IOException {
        long last = prepare();
        state.forgetting(Set.of(PARTITION.topic())).forEach(record -> state.apply(record, nowNanos));
        assertThat(state.openCount()).isZero();
        state = replayed(state.asRecords());
        assertThat(prepare()).isGreaterThan(last);
    }
}
