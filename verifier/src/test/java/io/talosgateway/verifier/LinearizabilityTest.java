package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.talosgateway.verifier.HistoryOperation.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Known histories, and random ones that a search through all orders decides as well. Instants are small numbers. */
final class LinearizabilityTest {

    private static final int RANDOM_HISTORIES = 20_000;

    private static MessageId payload(int number) {
        return MessageId.of(0, number, 0);
    }

    private static HistoryOperation operation(Kind kind, long call, long end, long offset, int... payloads) {
        List<MessageId> found = new ArrayList<>();
        for (int number : payloads) {
            found.add(payload(number));
        }
        return new HistoryOperation(kind, call, end, offset, found, "client");
    }

    private static HistoryOperation put(long call, long end, int payload, long offset) {
        return operation(Kind.PUT, call, end, offset, payload);
    }

    private static HistoryOperation repeat(long call, long end, int payload, long offset) {
        return operation(Kind.REPEAT, call, end, offset, payload);
    }

    private static HistoryOperation maybe(long call, int payload) {
        return operation(Kind.MAYBE_PUT, call, HistoryOperation.NEVER, HistoryOperation.UNPLACED, payload);
    }

    private static HistoryOperation read(long call, long end, long offset, int... payloads) {
        return operation(Kind.READ, call, end, offset, payloads);
    }

    private static HistoryOperation end(long call, long end, long offset) {
        return operation(Kind.END, call, end, offset);
    }

    private static HistoryOperation beyond(long call, long end, long offset) {
        return operation(Kind.BEYOND, call, end, offset);
    }

    private static void assertLinearizable(HistoryOperation... history) {
        assertThat(Linearizability.contradiction(List.of(history))).isEmpty();
    }

    /** @param contradiction the indices of those that contradict each other */
    private static void assertViolated(List<Integer> contradiction, HistoryOperation... history) {
        assertThat(Linearizability.contradiction(List.of(history)))
                .isEqualTo(contradiction.stream().map(index -> history[index]).toList());
    }

    // --- good ---

    @Test
    void nothingHappens() {
        assertLinearizable();
    }

    @Test
    void oneAfterAnother() {
        assertLinearizable(
                end(0, 1, 0),
                put(2, 3, 10, 0),
                end(4, 5, 1),
                read(6, 7, 0, 10),
                read(8, 9, 1),
                beyond(10, 11, 2),
                put(12, 13, 11, 1),
                repeat(14, 15, 10, 0),
                read(16, 17, 0, 10, 11));
    }

    @Test
    void overlappingOperationsMayTakeEffectInAnyOrder() {
        assertLinearizable(
                put(0, 10, 10, 1), put(1, 9, 11, 0), end(2, 8, 0), end(2, 8, 1), end(2, 8, 2), beyond(2, 8, 2));
    }

    @Test
    void whatHappensAtTheSameInstantOverlaps() {
        assertLinearizable(put(0, 5, 10, 0), end(5, 6, 0));
    }

    @Test
    void unknownPutTakesEffectLaterOrNever() {
        assertLinearizable(maybe(0, 10), end(1, 2, 0), end(3, 4, 1));
        assertLinearizable(maybe(0, 10), end(1, 2, 0), put(3, 4, 11, 0));
        assertLinearizable(maybe(0, 10), maybe(0, 11), put(3, 4, 12, 1), read(5, 6, 0, 11));
    }

    @Test
    void repeatOfAnUnknownPut() {
        assertLinearizable(maybe(0, 10), repeat(1, 2, 10, 0), end(3, 4, 1));
        assertLinearizable(maybe(0, 10), put(1, 2, 10, 0), end(3, 4, 1));
    }

    // --- not good ---

    @Test
    void endIsStale() {
        assertViolated(List.of(1, 2), put(0, 1, 10, 0), put(2, 3, 11, 1), end(6, 7, 1));
        assertViolated(List.of(1, 3), put(0, 1, 10, 0), put(2, 3, 11, 1), end(4, 5, 2), end(6, 7, 1));
    }

    @Test
    void acknowledgedPutIsLost() {
        assertViolated(List.of(0, 1), put(0, 1, 10, 0), put(2, 3, 11, 0));
        assertViolated(List.of(0, 1), put(0, 1, 10, 0), read(2, 3, 0));
    }

    @Test
    void offsetIsSaidToBeBeyondTheEnd() {
        assertViolated(List.of(1, 2), put(0, 1, 10, 0), put(2, 3, 11, 1), beyond(4, 5, 2));
    }

    @Test
    void putsAreReordered() {
        assertViolated(List.of(0, 1), put(0, 1, 10, 1), put(2, 3, 11, 0));
    }

    @Test
    void putIsStoredTwice() {
        assertViolated(List.of(1, 2), put(0, 1, 10, 0), put(2, 3, 11, 1), read(4, 5, 0, 10, 10));
        assertViolated(List.of(0, 1), put(0, 1, 10, 0), put(2, 3, 10, 1));
        assertViolated(List.of(0, 1), put(0, 1, 10, 0), put(2, 3, 10, 0));
        // Of an unknown put with two attempts, one may take effect.
        assertViolated(List.of(2), maybe(0, 10), maybe(1, 10), end(2, 3, 2));
    }

    @Test
    void messageIsReadThatNobodyPut() {
        assertViolated(List.of(1), put(0, 1, 10, 0), read(2, 3, 0, 10, 99));
    }

    @Test
    void messageIsReadBeforeItIsPut() {
        assertViolated(List.of(0, 1), read(0, 1, 0, 10), put(2, 3, 10, 0));
    }

    @Test
    void repeatOfWhatWasNeverPut() {
        assertViolated(List.of(0), repeat(0, 1, 10, 0));
    }

    @Test
    void unknownPutTakesEffectBeforeItsCall() {
        assertViolated(List.of(0, 1), end(0, 1, 1), maybe(2, 10));
    }

    @Test
    void manyOperationsOfManyClientsAreDecided() {
        List<HistoryOperation> history = new ArrayList<>();
        int clients = 16;
        for (int round = 0; round < 250; round++) {
            for (int client = 0; client < clients; client++) {
                long call = 100L * round + client;
                // Backwards: the last to call was the first to take effect.
                int offset = (round + 1) * clients - client - 1;
                history.add(
                        client % 2 == 0 ? put(call, call + 90, offset, offset / 2) : end(call, call + 90, offset / 2));
            }
            history.add(maybe(100L * round, -1 - round));
        }
        assertThat(Linearizability.contradiction(history)).isEmpty();

        history.add(end(100_000, 100_001, 1_999));

        assertThat(Linearizability.contradiction(history)).hasSize(2);
    }

    // --- random histories ---

    @Test
    void randomHistoriesAreDecidedAsByTryingAllOrders() {
        long seed = Long.getLong("linearizability.seed", 1);
        Random random = new Random(seed);
        int linearizable = 0;
        for (int number = 0; number < RANDOM_HISTORIES; number++) {
            List<HistoryOperation> history = randomHistory(random);
            boolean expected = new AllOrders(history).isLinearizable();
            assertThat(Linearizability.contradiction(history).isEmpty())
                    .as("-Dlinearizability.seed=%d, history %d: %s", seed, number, history)
                    .isEqualTo(expected);
            linearizable += expected ? 1 : 0;
        }
        assertThat(linearizable).isBetween(RANDOM_HISTORIES / 10, RANDOM_HISTORIES * 9 / 10);
    }

    /** Up to seven operations that took effect one after another, sometimes with an answer that is changed. */
    private static List<HistoryOperation> randomHistory(Random random) {
        List<HistoryOperation> history = new ArrayList<>();
        List<Integer> log = new ArrayList<>();
        int operations = 1 + random.nextInt(7);
        for (int instant = 0; instant < operations; instant++) {
            long call = 10L * instant - random.nextInt(15);
            long end = 10L * instant + random.nextInt(15);
            int payload = random.nextInt(3);
            int before = log.indexOf(payload);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    boolean unknown = random.nextInt(3) == 0;
                    boolean stored = !unknown || random.nextBoolean();
                    if (stored && before < 0) {
                        log.add(payload);
                    }
                    history.add(
                            unknown
                                    ? maybe(call, payload)
                                    : before < 0
                                            ? put(call, end, payload, log.size() - 1)
                                            : repeat(call, end, payload, before));
                }
                case 2 -> history.add(end(call, end, log.size()));
                case 3 -> history.add(beyond(call, end, log.size() + 1 + random.nextInt(2)));
                default -> {
                    int from = random.nextInt(log.size() + 1);
                    int to = from + random.nextInt(log.size() - from + 1);
                    int[] read = log.subList(from, from == to ? log.size() : to).stream()
                            .mapToInt(Integer::intValue)
                            .toArray();
                    history.add(read(call, end, from, read));
                }
            }
        }
        if (random.nextBoolean()) {
            change(history, random);
        }
        Collections.shuffle(history, random);
        return history;
    }

    private static void change(List<HistoryOperation> history, Random random) {
        int index = random.nextInt(history.size());
        HistoryOperation old = history.get(index);
        long offset = old.kind() == Kind.MAYBE_PUT ? old.offset() : Math.max(0, old.offset() + random.nextInt(3) - 1);
        List<MessageId> payloads = old.payloads().isEmpty() || random.nextInt(3) > 0
                ? old.payloads()
                : List.of(payload(random.nextInt(4)));
        history.set(
                index,
                new HistoryOperation(old.kind(), old.callNanos(), old.returnNanos(), offset, payloads, old.by()));
    }

    /** Tries all orders, on a real log. */
    private static final class AllOrders {
        private final List<HistoryOperation> history;
        private final BitSet applied = new BitSet();
        private final List<MessageId> log = new ArrayList<>();

        AllOrders(List<HistoryOperation> history) {
            this.history = history;
        }

        boolean isLinearizable() {
            long firstReturn = HistoryOperation.NEVER;
            for (int index = 0; index < history.size(); index++) {
                if (!applied.get(index)) {
                    firstReturn = Math.min(firstReturn, history.get(index).returnNanos());
                }
            }
            if (firstReturn == HistoryOperation.NEVER) {
                return true;
            }
            for (int index = 0; index < history.size(); index++) {
                HistoryOperation operation = history.get(index);
                if (applied.get(index) || operation.callNanos() > firstReturn || !holds(operation)) {
                    continue;
                }
                int length = log.size();
                boolean isPut = operation.kind() == Kind.PUT || operation.kind() == Kind.MAYBE_PUT;
                if (isPut && !log.contains(operation.payloads().get(0))) {
                    log.add(operation.payloads().get(0));
                }
                applied.set(index);
                if (isLinearizable()) {
                    return true;
                }
                applied.clear(index);
                log.subList(length, log.size()).clear();
            }
            return false;
        }

        private boolean holds(HistoryOperation operation) {
            long offset = operation.offset();
            List<MessageId> payloads = operation.payloads();
            return switch (operation.kind()) {
                case PUT -> offset == log.size() && !log.contains(payloads.get(0));
                case MAYBE_PUT -> true;
                case END -> offset == log.size();
                case BEYOND -> offset > log.size();
                case REPEAT -> log.indexOf(payloads.get(0)) == offset;
                case READ ->
                    payloads.isEmpty()
                            ? offset == log.size()
                            : offset + payloads.size() <= log.size()
                                    && log.subList((int) offset, (int) offset + payloads.size())
                                            .equals(payloads);
            };
        }
    }
}
