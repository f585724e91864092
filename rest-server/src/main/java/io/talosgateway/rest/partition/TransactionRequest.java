package io.talosgateway.rest.partition;

import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;

/**
 * Something that is asked of a transaction: a block that nobody sees before it is committed.
 *
 * @param partition that the messages are for
 * @param id of the transaction, or {@link #NO_ID}
 * @param block the messages; null unless they are prepared
 */
public record TransactionRequest(
        Operation operation,
        TopicPartition partition,
        long id,
        @Nullable MessageBlock block) {

    /** No transaction has it. */
    public static final long NO_ID = 0;

    /** What is asked. The names travel between hosts: never rename one. */
    public enum Operation {
        /** Keeps a block. Answered with the id of the transaction. A repeat is another transaction. */
        PREPARE,
        /** Stores the block in its partition. May be repeated. */
        COMMIT,
        /** Drops the block. May be repeated. */
        ROLLBACK,
        /** The transactions of the partition that are neither committed nor rolled back, the oldest first. */
        UNDECIDED
    }

    public static TransactionRequest prepare(TopicPartition partition, MessageBlock block) {
        return new TransactionRequest(Operation.PREPARE, partition, NO_ID, block);
    }

    public static TransactionRequest commit(TopicPartition partition, long id) {
        return new TransactionRequest(Operation.COMMIT, partition, id, null);
    }

    public static TransactionRequest rollback(TopicPartition partition, long id) {
        return new TransactionRequest(Operation.ROLLBACK, partition, id, null);
    }

    public static TransactionRequest undecided(TopicPartition partition) {
        return new TransactionRequest(Operation.UNDECIDED, partition, NO_ID, null);
    }
}
