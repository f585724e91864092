package io.talosgateway.verifier;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;

import io.talosgateway.verifier.HistoryOperation.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether operations on one partition are linearizable: whether each of them can be given an instant between its call
 * and its return, so that a log to which one operation after another is applied gives all these answers. Partitions are
 * checked one by one, because a history is linearizable if that of each object is (Herlihy and Wing).
 *
 * <p>For most objects this needs a search through the orders of the operations. A log only grows, by one message at a time, and
 * answers tell offsets. So an order is given by the instants at which the log reaches each length, and every operation only
 * says that some length is reached not before its call, or not after its return:
 *
 * <ul>
 *   <li>A put at an offset makes the log longer than this offset, between its call and its return.
 *   <li>A read has found the log at least as long as the end of what it read, before its return.
 *   <li>An operation that was told of the end has found this length before its return, and no larger one before its call.
 * </ul>
 *
 * <p>The history is linearizable if there are such instants, none later than that of a larger length. An offset of which no
 * answer tells the message is filled by one of the puts whose outcome is unknown.
 *
 * <p>For one history.
 */
final class Linearizability {

    private static final BinaryOperator<HistoryOperation> LATER_CALL =
            BinaryOperator.maxBy(Comparator.comparingLong(HistoryOperation::callNanos));
    private static final BinaryOperator<HistoryOperation> EARLIER_CALL =
            BinaryOperator.minBy(Comparator.comparingLong(HistoryOperation::callNanos));
    private static final BinaryOperator<HistoryOperation> EARLIER_RETURN =
            BinaryOperator.minBy(Comparator.comparingLong(HistoryOperation::returnNanos));

    /** Which message is at which offset, as far as any answer tells. */
    private final Map<Long, MessageId> messages = new HashMap<>();

    private final Map<MessageId, Long> offsets = new HashMap<>();
    /** By offset: who told of the message first. */
    private final Map<Long, HistoryOperation> tellers = new HashMap<>();
    /** By offset: the put that stored the message. */
    private final Map<Long, HistoryOperation> puts = new HashMap<>();
    /** Puts of which nobody knows an offset. */
    private final Map<MessageId, HistoryOperation> unplaced = new HashMap<>();
    /** By length: the operation with the latest call of those before which it is not reached. */
    private final Map<Long, HistoryOperation> notBefore = new HashMap<>();
    /** By length: the operation with the earliest return of those after which it is not reached. */
    private final NavigableMap<Long, HistoryOperation> notAfter = new TreeMap<>();

    private Linearizability() {}

    /**
     * Checks the history of a partition that was empty before.
     *
     * @return one or two operations that contradict each other, or all the others; none if the history is linearizable
     */
    static List<HistoryOperation> contradiction(List<HistoryOperation> history) {
        return new Linearizability().check(history);
    }

    private List<HistoryOperation> check(List<HistoryOperation> history) {
        for (HistoryOperation operation : history) {
            HistoryOperation other = learn(operation);
            if (other != null) {
                return pair(other, operation);
            }
        }
        for (HistoryOperation operation : history) {
            HistoryOperation other = take(operation);
            if (other != null) {
                return pair(other, operation);
            }
        }
        puts.forEach((offset, put) -> notBefore.merge(offset + 1, put, LATER_CALL));
        // What is not reached after an instant is neither reached after it by a shorter log.
        HistoryOperation earliest = null;
        for (Map.Entry<Long, HistoryOperation> entry : notAfter.descendingMap().entrySet()) {
            earliest = earliest == null ? entry.getValue() : EARLIER_RETURN.apply(entry.getValue(), earliest);
            entry.setValue(earliest);
        }
        List<HistoryOperation> found = checkInstants();
        return found.isEmpty() ? checkOffsets() : found;
    }

    private static List<HistoryOperation> pair(HistoryOperation one, HistoryOperation two) {
        return Stream.of(one, two)
                .distinct()
                .sorted(Comparator.comparingLong(HistoryOperation::callNanos))
                .toList();
    }

    /** Learns messages and their offsets; gives who told otherwise, if anybody did. */
    private @Nullable HistoryOperation learn(HistoryOperation operation) {
        if (operation.offset() == HistoryOperation.UNPLACED) {
            return null;
        }
        for (int index = 0; index < operation.payloads().size(); index++) {
            MessageId message = operation.payloads().get(index);
            Long offset = operation.offset() + index;
            tellers.putIfAbsent(offset, operation);
            if (!message.equals(messages.computeIfAbsent(offset, any -> message))) {
                return tellers.get(offset);
            }
            Long place = offsets.computeIfAbsent(message, any -> offset);
            if (!offset.equals(place)) {
                return tellers.get(place);
            }
        }
        return null;
    }

    /** Takes what an operation says of lengths; gives one that it cannot be together with, if there is one. */
    private @Nullable HistoryOperation take(HistoryOperation operation) {
        long offset = operation.offset();
        switch (operation.kind()) {
            case PUT -> {
                reachedAtReturn(offset + 1, operation);
                HistoryOperation other = puts.put(offset, operation);
                return other != null && other.kind() == Kind.PUT ? other : null;
            }
            case MAYBE_PUT -> {
                MessageId message = operation.payloads().get(0);
                Long place = offsets.get(message);
                if (place == null) {
                    unplaced.merge(message, operation, EARLIER_CALL);
                } else {
                    puts.merge(
                            place,
                            operation,
                            (known, more) -> known.kind() == Kind.PUT ? known : EARLIER_CALL.apply(known, more));
                }
            }
            case REPEAT -> reachedAtReturn(offset + 1, operation);
            case READ -> {
                reachedAtReturn(offset + operation.payloads().size(), operation);
                if (operation.payloads().isEmpty()) {
                    notBefore.merge(offset + 1, operation, LATER_CALL);
                }
            }
            case END -> {
                reachedAtReturn(offset, operation);
                notBefore.merge(offset + 1, operation, LATER_CALL);
            }
            case BEYOND -> {
                if (offset == 0) {
                    return operation;
                }
                notBefore.merge(offset, operation, LATER_CALL);
            }
        }
        return null;
    }

    private void reachedAtReturn(long length, HistoryOperation operation) {
        if (length > 0) {
            notAfter.merge(length, operation, EARLIER_RETURN);
        }
    }

    /** The operation with the earliest return of those that have found the log so long; null if nobody has. */
    private @Nullable HistoryOperation foundBy(long length) {
        Map.Entry<Long, HistoryOperation> entry = notAfter.ceilingEntry(length);
        return entry == null ? null : entry.getValue();
    }

    /** Whether every length is reached early enough. */
    private List<HistoryOperation> checkInstants() {
        for (Map.Entry<Long, HistoryOperation> entry : notBefore.entrySet()) {
            HistoryOperation found = foundBy(entry.getKey());
            if (found != null && entry.getValue().callNanos() > found.returnNanos()) {
                return pair(found, entry.getValue());
            }
        }
        return List.of();
    }

    /** Whether every offset that somebody has found has been put: the earliest unknown puts fill the first of the others. */
    private List<HistoryOperation> checkOffsets() {
        Iterator<HistoryOperation> unknown = unplaced.values().stream()
                .sorted(Comparator.comparingLong(HistoryOperation::callNanos))
                .iterator();
        HistoryOperation found = foundBy(1);
        for (long offset = 0; found != null; found = foundBy(++offset + 1)) {
            if (puts.containsKey(offset)) {
                continue;
            }
            if (messages.containsKey(offset) || !unknown.hasNext()) {
                return List.of(found);
            }
            HistoryOperation put = unknown.next();
            if (put.callNanos() > found.returnNanos()) {
                return pair(found, put);
            }
        }
        return List.of();
    }
}
