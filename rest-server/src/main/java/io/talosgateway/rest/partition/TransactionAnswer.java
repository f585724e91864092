package io.talosgateway.rest.partition;

import java.util.List;

import io.talosgateway.wire.message.MessageBlock;

/**
 * What becomes, or became, of a {@link TransactionRequest}.
 *
 * @param id of the transaction; {@link TransactionRequest#NO_ID} if several were asked for
 * @param transactions those that were asked for, in the order of their ids
 * @param complete whether these are all
 */
public record TransactionAnswer(long id, List<Prepared> transactions, boolean complete) {

    public TransactionAnswer {
        transactions = List.copyOf(transactions);
    }

    /** The answer to a request about one transaction. */
    public static TransactionAnswer of(long id) {
        return new TransactionAnswer(id, List.of(), true);
    }

    /** A transaction, and its block as it was prepared. */
    public record Prepared(long id, MessageBlock block) {}
}
