package io.talosgateway.verifier;

import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;

/** What a reader makes of the answers to its gets of a partition, from the beginning on. For one thread. */
final class Following {

    private final String reader;
    private final int partition;
    private final boolean last;
    private final boolean expires;
    private final WrittenContent content;
    private final RunRecord books;
    private final Ledger ledger;
    private long nextOffset;
    /** Whether what comes next has expired, or may have. */
    private boolean fromEarliest;

    /**
     * Begins at offset 0.
     *
     * @param last whether this is the last reading of all
     * @param expires whether messages may vanish, from the beginning on
     */
    Following(String reader, int partition, boolean last, boolean expires, WrittenContent content, RunRecord books) {
        this.reader = reader;
        this.partition = partition;
        this.last = last;
        this.expires = expires;
        this.content = content;
        this.books = books;
        this.ledger = books.ledgers.get(partition);
        this.fromEarliest = expires;
    }

    /** Where to go on reading. */
    From next() {
        return fromEarliest ? From.EARLIEST : new From(nextOffset);
    }

    /** Takes the answer to a get at {@link #next}; false if it failed. */
    boolean take(GetAnswer answer) {
        Messages messages = answer.messages();
        if (messages != null) {
            books.read.add(messages.messages().size());
            take(messages);
            return true;
        }
        if (answer.code().equals(PutAnswer.MALFORMED)) {
            books.violations.add(
                    Rule.UNDERSTOOD,
                    "%s, which has read partition %d up to offset %d, was answered with %s: %s"
                            .formatted(reader, partition, nextOffset - 1, answer.code(), answer.detail()));
        } else if (answer.isOutOfRange() && expires) {
            fromEarliest = true;
        }
        return false;
    }

    private void take(Messages answer) {
        if (fromEarliest) {
            fromEarliest = false;
            long first = answer.nextOffset() - answer.messages().size();
            nextOffset = Math.max(nextOffset, first);
            if (last) {
                ledger.begin(nextOffset);
            }
            if (first < nextOffset) {
                return;
            }
        }
        if (answer.logStartOffset() != 0 && !expires) {
            wrong("begins at offset %d instead of 0".formatted(answer.logStartOffset()));
        }
        for (Message message : answer.messages()) {
            if (message.offset() != nextOffset) {
                wrong("has offset %d where %d should be".formatted(message.offset(), nextOffset));
            }
            if (message.offset() >= nextOffset) {
                see(message);
                nextOffset = message.offset() + 1;
            }
        }
        Long end = answer.logEndOffset();
        if (answer.nextOffset() != nextOffset || (end != null && end < nextOffset)) {
            wrong("has offsets to %d, and the next is said to be %d, and the end %d"
                    .formatted(nextOffset - 1, answer.nextOffset(), end));
        }
    }

    private void wrong(String what) {
        books.violations.add(Rule.DENSE, "partition %d %s, for %s".formatted(partition, what, reader));
    }

    private void see(Message message) {
        MessageId found = content.read(message.payload());
        MessageId before = ledger.see(message.offset(), found, last);
        if (before != null) {
            books.violations.add(
                    Rule.ONE_ORDER,
                    "at offset %d of partition %d, %s found %s, where %s was before"
                            .formatted(message.offset(), partition, reader, found, before));
        }
    }

    /** Whether an answer that was taken says that the end is reached. */
    boolean isAtEnd(GetAnswer answer) {
        Messages messages = answer.messages();
        Long end = messages == null ? null : messages.logEndOffset();
        return messages != null && messages.messages().isEmpty() && end != null && nextOffset >= end;
    }

    /** Nothing comes after what was read. */
    void endsHere() {
        long end = ledger.end();
        if (end > nextOffset) {
            books.violations.add(
                    Rule.ONE_ORDER,
                    "partition %d ends at %d, and a reader has seen %s at offset %d"
                            .formatted(partition, nextOffset, ledger.at(end - 1), end - 1));
            ledger.cut(nextOffset);
        }
    }
}
