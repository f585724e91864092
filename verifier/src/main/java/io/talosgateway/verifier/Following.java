package io.talosgateway.verifier;

import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import org.jspecify.annotations.Nullable;

/** What a reader makes of the answers to its gets of a partition. For one thread. */
final class Following {

    private final String reader;
    private final int partition;
    private final boolean last;
    private final boolean expires;
    private final WrittenContent content;
    private final Ledger ledger;
    private final Violations violations;
    private long nextOffset;

    /**
     * Begins at offset 0.
     *
     * @param last whether this is the last reading of all
     * @param expires whether messages may vanish, from the beginning on
     */
    Following(
            String reader,
            int partition,
            boolean last,
            boolean expires,
            WrittenContent content,
            Ledger ledger,
            Violations violations) {
        this.reader = reader;
        this.partition = partition;
        this.last = last;
        this.expires = expires;
        this.content = content;
        this.ledger = ledger;
        this.violations = violations;
    }

    /** Where to go on reading. */
    long nextOffset() {
        return nextOffset;
    }

    /** Takes the answer to a get from the first message that has not expired. */
    void takeEarliest(Messages answer) {
        long first = answer.nextOffset() - answer.messages().size();
        nextOffset = Math.max(nextOffset, first);
        if (last) {
            ledger.begin(partition, nextOffset);
        }
        if (first == nextOffset) {
            take(answer);
        }
    }

    /** Takes the answer to a get at {@link #nextOffset}. */
    void take(Messages answer) {
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
        violations.add(Rule.DENSE, "partition %d %s, for %s".formatted(partition, what, reader));
    }

    private void see(Message message) {
        ObservedMessage found = content.read(message.payload());
        @Nullable
        ObservedMessage before = last
                ? ledger.settle(partition, message.offset(), found)
                : ledger.see(partition, message.offset(), found);
        if (before != null) {
            violations.add(
                    Rule.ONE_ORDER,
                    "at offset %d of partition %d, %s found %s, where %s was before"
                            .formatted(message.offset(), partition, reader, found, before));
        }
    }

    /** Nothing comes after what was read. */
    void endsHere() {
        long end = ledger.end(partition);
        if (end > nextOffset) {
            violations.add(
                    Rule.ONE_ORDER,
                    "partition %d ends at %d, and a reader has seen %s at offset %d"
                            .formatted(partition, nextOffset, ledger.at(partition, end - 1), end - 1));
            ledger.cut(partition, nextOffset);
        }
    }
}
