package io.talosgateway.verifier;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntPredicate;

import io.talosgateway.client.Messages;

/**
 * Where partitions begin and end, as far as it was acknowledged or told. A get that begins later must not be told less, whoever
 * answers it. What is known counts for gets that begin after it was written down here. Safe for use by any thread.
 */
final class Bounds {

    private static final Known NOTHING = new Known(0, "", 0, false, "");

    private final AtomicReferenceArray<Known> partitions;
    private final IntPredicate expires;
    private final List<String> gateways;
    private final Violations violations;

    /**
     * Of a partition.
     *
     * @param acknowledged whether the end follows from a put
     */
    record Known(long start, String startBy, long end, boolean acknowledged, String endBy) {

        private Known withEnd(long newEnd, boolean byPut, String by) {
            return newEnd > end ? new Known(start, startBy, newEnd, byPut, by) : this;
        }

        private Known withStart(long newStart, String by) {
            return newStart > start ? new Known(newStart, by, end, acknowledged, endBy) : this;
        }
    }

    /**
     * Of partitions that were empty.
     *
     * @param expires in which partitions messages expire, from their beginning on
     */
    Bounds(int partitions, IntPredicate expires, List<String> gateways, Violations violations) {
        this.partitions = new AtomicReferenceArray<>(partitions);
        for (int partition = 0; partition < partitions; partition++) {
            this.partitions.set(partition, NOTHING);
        }
        this.expires = expires;
        this.gateways = gateways;
        this.violations = violations;
    }

    /** To be asked before a get is sent. */
    Known known(int partition) {
        return partitions.get(partition);
    }

    void attempted(Attempt attempt) {
        PutAnswer answer = attempt.answer();
        int partition = attempt.put().partition();
        long end = answer.firstOffset() + attempt.put().count();
        if (answer.outcome() == Outcome.STORED && end > known(partition).end) {
            String by = "%s acknowledged %s at offset %d at %.3f s"
                    .formatted(
                            gateways.get(attempt.gateway()),
                            attempt.put(),
                            answer.firstOffset(),
                            attempt.endNanos() / 1e9);
            partitions.updateAndGet(partition, known -> known.withEnd(end, true, by));
        }
    }

    /**
     * A get was answered.
     *
     * @param known before it was sent
     */
    void told(Get get, Known known) {
        Messages messages = get.answer().messages();
        if (messages != null) {
            told(get, known, messages);
        } else if (get.answer().isOutOfRange() && get.from().offset() <= known.end) {
            if (expires.test(get.partition())) {
                learn(get, get.from().offset() + 1, 0, "that its offset is out of range");
            } else {
                wrong(endRule(known), get, "that its offset is out of range", known.endBy);
            }
        }
    }

    private void told(Get get, Known known, Messages messages) {
        Long named = messages.logEndOffset();
        long reached = named == null ? messages.nextOffset() : named;
        // Both the place where a get from 'latest' begins and the end that is named were the end.
        long end = get.from().equals(From.LATEST) ? Math.min(reached, messages.nextOffset()) : reached;
        if (end < known.end && (named != null || get.from().equals(From.LATEST))) {
            wrong(endRule(known), get, "that the partition ends at %d".formatted(end), known.endBy);
        } else if (messages.messages().isEmpty() && messages.nextOffset() < known.end) {
            wrong(endRule(known), get, "that there are no messages", known.endBy);
        }
        // A host that does not name the end may be another owner's predecessor: messages that were deleted since are
        // still there.
        if (named != null && messages.logStartOffset() < known.start) {
            wrong(
                    Rule.BOUNDS_NEVER_FALL,
                    get,
                    "that the partition begins at %d".formatted(messages.logStartOffset()),
                    known.startBy);
        }
        learn(
                get,
                messages.logStartOffset(),
                reached,
                "that the partition begins at %d and ends at %d%s"
                        .formatted(messages.logStartOffset(), reached, named == null ? " or later" : ""));
    }

    private static Rule endRule(Known known) {
        return known.acknowledged ? Rule.ACKNOWLEDGED_IS_SEEN : Rule.BOUNDS_NEVER_FALL;
    }

    private void learn(Get get, long start, long end, String what) {
        Known known = known(get.partition());
        if (start > known.start || end > known.end) {
            String by = "%s said at %.3f s %s".formatted(gateways.get(get.gateway()), get.endNanos() / 1e9, what);
            partitions.updateAndGet(
                    get.partition(), now -> now.withStart(start, by).withEnd(end, false, by));
        }
    }

    private void wrong(Rule rule, Get get, String what, String before) {
        violations.add(
                rule,
                "a get of partition %d from %s, sent to %s at %.3f s, was told at %.3f s %s; before it was sent, %s"
                        .formatted(
                                get.partition(),
                                get.from(),
                                gateways.get(get.gateway()),
                                get.startNanos() / 1e9,
                                get.endNanos() / 1e9,
                                what,
                                before));
    }
}
