package io.talosgateway.rest.hosting;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.transaction.TransactionCoordinators;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What clients were told of transactions of one partition, and whether it can be true:
 *
 * <ul>
 *   <li>no id is given to two of them;
 *   <li>a block that was prepared is told of, or can be committed, until it is decided or times out;
 *   <li>a block is in the partition once, if its commit was answered, and never if nobody has asked for its commit, or its rollback
 *       was answered;
 *   <li>a commit or rollback that was answered is answered in the same way again.
 * </ul>
 */
final class TransactionBook {

    static final TopicMetadata COORDINATORS = new TopicMetadata(
            TopicName.TRANSACTIONS,
            new TopicId(78, 78),
            "owner",
            1,
            Duration.ofDays(10_000),
            Map.of(),
            Map.of(),
            Quota.UNLIMITED,
            0);

    private static final int READ_BYTES = 1 << 20;

    private final TopicPartition partition;
    private final SteppedTime time;
    private final Map<Long, Told> transactions = new TreeMap<>();
    private final List<String> violations = new ArrayList<>();
    private int number;

    /** A transaction, as its client was told. */
    private static final class Told {
        private final String text;
        /** Before that, it does not time out. */
        private final long openUntilNanos;

        private boolean commitAsked;
        private boolean rollbackAsked;
        private boolean committed;
        private boolean rolledBack;

        Told(String text, long openUntilNanos) {
            this.text = text;
            this.openUntilNanos = openUntilNanos;
        }
    }

    TransactionBook(TopicPartition partition, SteppedTime time) {
        this.partition = partition;
        this.time = time;
    }

    /** That the messages are for. */
    TopicPartition partition() {
        return partition;
    }

    /** That holds the transactions. */
    TopicPartition coordinator() {
        return COORDINATORS.partition(0);
    }

    int prepared() {
        return transactions.size();
    }

    long committed() {
        return transactions.values().stream().filter(told -> told.committed).count();
    }

    long rolledBack() {
        return transactions.values().stream().filter(told -> told.rolledBack).count();
    }

    /** One request of a client. */
    void ask(SimulatedHost owner, Random random) {
        int dice = random.nextInt(10);
        if (dice < 4 || transactions.isEmpty()) {
            prepare(owner);
        } else if (dice < 5) {
            find(owner);
        } else {
            // The newest, or one of them all.
            List<Long> ids = List.copyOf(transactions.keySet());
            int newest = random.nextInt(Math.min(8, ids.size()));
            long id = ids.get(random.nextInt(4) == 0 ? random.nextInt(ids.size()) : ids.size() - 1 - newest);
            if (dice < 8) {
                commit(owner, id);
            } else {
                rollback(owner, id);
            }
        }
    }

    void checkAnswers() {
        assertThat(violations).isEmpty();
    }

    private interface OnAnswer {
        void answered(@Nullable TransactionAnswer answer, @Nullable ErrorCode code);
    }

    private void ask(SimulatedHost owner, TransactionRequest request, OnAnswer onAnswer) {
        CompletableFuture<TransactionAnswer> asked =
                owner.partitions.askTransaction(coordinator(), request, Deadline.NONE);
        asked.whenComplete((answer, failure) -> {
            SimulationTrace.say(() -> "TRANSACTION " + owner.name + " " + request.operation() + " " + request.id()
                    + ": " + (failure == null ? answer : failure));
            ErrorCode code = failure == null
                    ? null
                    : GatewayException.in(failure).map(GatewayException::code).orElse(ErrorCode.INTERNAL);
            if (code == ErrorCode.INTERNAL) {
                violations.add(request + " failed: " + failure);
            }
            onAnswer.answered(answer, code);
        });
    }

    private void prepare(SimulatedHost owner) {
        String text = "transaction %-10d".formatted(number++);
        ByteSlice data = ByteSlice.utf8(text);
        MessageBlock block = new MessageBlock(1, 0, data, MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY);
        long openUntilNanos = time.nanoTime() + TransactionCoordinators.TIMEOUT.toNanos();
        ask(owner, TransactionRequest.prepare(partition, block), (answer, code) -> {
            if (answer != null && transactions.put(answer.id(), new Told(text, openUntilNanos)) != null) {
                violations.add("two transactions have the id " + answer.id());
            }
        });
    }

    private void commit(SimulatedHost owner, long id) {
        Told told = transactions.get(id);
        boolean rolledBackBefore = told.rolledBack;
        told.commitAsked = true;
        ask(owner, TransactionRequest.commit(partition, id), (answer, code) -> {
            if (answer != null) {
                told.committed = true;
                if (rolledBackBefore) {
                    violations.add(id + " is committed after it was rolled back");
                }
            }
            boolean isGone = code == ErrorCode.TRANSACTION_FINISHED || code == ErrorCode.TRANSACTION_NOT_FOUND;
            if (isGone && told.committed) {
                violations.add(id + " was committed, and now " + code);
            }
            if (isGone && !told.rollbackAsked && time.nanoTime() - told.openUntilNanos < 0) {
                violations.add(id + " was prepared, and now " + code);
            }
        });
    }

    private void rollback(SimulatedHost owner, long id) {
        Told told = transactions.get(id);
        boolean committedBefore = told.committed;
        told.rollbackAsked = true;
        ask(owner, TransactionRequest.rollback(partition, id), (answer, code) -> {
            if (answer != null) {
                told.rolledBack = true;
                if (committedBefore) {
                    violations.add(id + " is rolled back after it was committed");
                }
            }
            if (code == ErrorCode.TRANSACTION_NOT_FOUND) {
                violations.add(id + " is not there");
            }
            if (code == ErrorCode.TRANSACTION_FINISHED && (told.rolledBack || !told.commitAsked)) {
                violations.add(id + " was not committed, and now " + code);
            }
        });
    }

    private void find(SimulatedHost owner) {
        List<Long> open = new ArrayList<>();
        transactions.forEach((id, told) -> {
            if (!told.commitAsked && !told.rollbackAsked) {
                open.add(id);
            }
        });
        ask(owner, TransactionRequest.undecided(partition), (answer, code) -> {
            if (answer == null) {
                return;
            }
            Map<Long, String> found = new TreeMap<>();
            answer.transactions()
                    .forEach(one -> found.put(one.id(), one.block().data().utf8()));
            open.forEach(id -> {
                Told told = transactions.get(id);
                boolean asked = told.commitAsked || told.rollbackAsked;
                boolean isOld = time.nanoTime() - told.openUntilNanos >= 0;
                if (!asked && !isOld && !told.text.equals(found.get(id))) {
                    violations.add(id + " was prepared, and is not told of: " + found);
                }
            });
        });
    }

    /** Asks for the end of everything that is asked to be committed. */
    void commitAgain(SimulatedHost owner) {
        transactions.forEach((id, told) -> {
            if (told.commitAsked && !told.committed && !told.rolledBack) {
                ask(owner, TransactionRequest.commit(partition, id), (answer, code) -> {
                    if (answer != null) {
                        told.committed = true;
                    } else if (code == ErrorCode.TRANSACTION_FINISHED || code == ErrorCode.TRANSACTION_NOT_FOUND) {
                        told.rolledBack = true;
                    }
                });
            }
        });
    }

    /** Whether it is known what became of everything that is asked to be committed. */
    boolean isDecided() {
        return transactions.values().stream().allMatch(told -> !told.commitAsked || told.committed || told.rolledBack);
    }

    /** What the partition holds in the end. */
    void check(PartitionLog log) {
        checkAnswers();
        Map<String, Integer> stored = new TreeMap<>();
        long offset = log.logStartOffset();
        while (offset < log.durableOffset()) {
            var read = log.read(offset, 1_000, READ_BYTES);
            for (StoredBlock block : read.blocks()) {
                String text = new String(block.block().data().toByteArray(), StandardCharsets.UTF_8);
                if (text.startsWith("transaction ")) {
                    stored.merge(text, 1, Integer::sum);
                }
            }
            offset = read.endOffset();
        }
        transactions.forEach((id, told) -> assertThat(stored.getOrDefault(told.text, 0))
                .as("transaction %d in %s", id, partition)
                .isEqualTo(told.committed ? 1 : 0));
        assertThat(stored.values())
                .as("stored once, also what was never answered")
                .allMatch(times -> times == 1);
    }
}
