package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * All attempts of a run, in the order in which they ended, {@value #BYTES} bytes each:
 *
 * <pre>
 * writer 16, number 32, count 16 bits
 * start 64 bits
 * end 64 bits
 * partition 16, gateway 8, code 8, time given 30, repeat 1, may try again 1 bit
 * first offset 64 bits
 * </pre>
 *
 * Bounded by its users: they begin no put when it is full; what is under way then is still taken. Safe for use by any thread.
 */
final class AttemptLog {

    static final int BYTES = 40;
    static final int MAX_PARTITIONS = 1 << 16;
    static final int MAX_GATEWAYS = 1 << 8;

    private static final int WORDS = BYTES / Long.BYTES;
    private static final int CHUNK_ATTEMPTS = 4096;
    private static final int MAX_CODES = 1 << 8;
    /** How many attempts of a put are shown. */
    private static final int MOST_SHOWN = 8;

    private static final int MAX_TIMEOUT_MS = (1 << 30) - 1;

    private final long capacity;
    private final List<long[]> chunks = new ArrayList<>();
    private final Map<Code, Integer> numbers = new HashMap<>();
    private final List<Code> codes = new ArrayList<>();
    private long size;

    private record Code(Outcome outcome, String code) {}

    /** @param capacity how many attempts fill it */
    AttemptLog(long capacity) {
        this.capacity = capacity;
    }

    long capacity() {
        return capacity;
    }

    synchronized long size() {
        return size;
    }

    synchronized boolean isFull() {
        return size >= capacity;
    }

    synchronized void add(Attempt attempt) {
        int at = (int) (size % CHUNK_ATTEMPTS) * WORDS;
        if (at == 0) {
            chunks.add(new long[CHUNK_ATTEMPTS * WORDS]);
        }
        PutAnswer answer = attempt.answer();
        long[] chunk = chunks.get(chunks.size() - 1);
        chunk[at] = (long) attempt.writer() << 48 | (long) attempt.number() << 16 | attempt.count();
        chunk[at + 1] = attempt.startNanos();
        chunk[at + 2] = attempt.endNanos();
        chunk[at + 3] = (long) attempt.partition() << 48
                | (long) attempt.gateway() << 40
                | (long) number(answer) << 32
                | (long) Math.min(attempt.timeoutMs(), MAX_TIMEOUT_MS) << 2
                | (answer.repeat() ? 2 : 0)
                | (answer.mayTryAgain() ? 1 : 0);
        chunk[at + 4] = answer.firstOffset();
        size++;
    }

    private int number(PutAnswer answer) {
        Code code = new Code(answer.outcome(), answer.code());
        Integer known = numbers.get(code);
        if (known != null) {
            return known;
        }
        if (codes.size() == MAX_CODES) {
            throw new IllegalStateException("no gateway has " + MAX_CODES + " error codes");
        }
        numbers.put(code, codes.size());
        codes.add(code);
        return codes.size() - 1;
    }

    /** In the order in which they ended. Nothing may be added meanwhile. */
    void forEach(Consumer<Attempt> action) {
        for (long index = 0; index < size(); index++) {
            action.accept(get(index));
        }
    }

    private synchronized Attempt get(long index) {
        long[] chunk = chunks.get((int) (index / CHUNK_ATTEMPTS));
        int at = (int) (index % CHUNK_ATTEMPTS) * WORDS;
        long put = chunk[at];
        long where = chunk[at + 3];
        Code code = codes.get((int) (where >>> 32) & 0xff);
        return new Attempt(
                (int) (put >>> 48),
                (int) (put >>> 16),
                (int) (where >>> 48),
                (int) put & 0xffff,
                (int) (where >>> 40) & 0xff,
                chunk[at + 1],
                chunk[at + 2],
                (int) ((where & 0xffffffffL) >>> 2),
                new PutAnswer(code.outcome, code.code, chunk[at + 4], (where & 2) != 0, (where & 1) != 0, -1));
    }

    /** The attempts of a put, for people. */
    List<String> describe(int writer, int number, List<String> gateways) {
        List<String> lines = new ArrayList<>();
        forEach(attempt -> {
            if (attempt.writer() == writer && attempt.number() == number && lines.size() < MOST_SHOWN) {
                lines.add(describe(attempt, gateways));
            }
        });
        return lines;
    }

    private static String describe(Attempt attempt, List<String> gateways) {
        PutAnswer answer = attempt.answer();
        return "at %.3f s, by %s, after %.3f s of %.3f s: %s%s%s"
                .formatted(
                        seconds(attempt.startNanos()),
                        gateways.get(attempt.gateway()),
                        seconds(attempt.endNanos() - attempt.startNanos()),
                        attempt.timeoutMs() / 1e3,
                        answer.code(),
                        answer.outcome() == Outcome.STORED ? " at offset " + answer.firstOffset() : "",
                        answer.repeat() ? ", a repeat" : "");
    }

    private static double seconds(long nanos) {
        return nanos / (double) TimeUnit.SECONDS.toNanos(1);
    }
}
