package io.talosgateway.verifier;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.talosgateway.loadgen.cli.LoadFailure;

/**
 * All attempts of a run, in the order in which they ended, {@value #BYTES} bytes each:
 *
 * <pre>
 * writer 2, number 4, count 2 bytes
 * start 8
 * end 8
 * partition 2, gateway 1, common 1, time given 4
 * first offset 8
 * </pre>
 *
 * Bounded by its users: they begin no put when it is full; what is under way then is still taken. Safe for use by any thread.
 */
final class AttemptLog {

    static final int BYTES = 40;
    /**
     * With its share of what the check makes of it: the attempt (40), its put (64, and 4 to 10 for its place in a list that
     * grows), and its messages, one and a half in the mean (8 each); a little is left over.
     */
    static final int BYTES_WITH_CHECK = 136;

    static final int MAX_GATEWAYS = 1 << 8;

    private static final long LEAST_CAPACITY = 10_000;
    private static final int CHUNK_ATTEMPTS = 4096;
    private static final int MAX_COMMON = 1 << 8;
    private static final int MOST_SHOWN = 8;

    private final long capacity;
    private final List<ByteBuffer> chunks = new ArrayList<>();
    private final List<Common> common = new ArrayList<>();
    private long size;

    /** What many attempts have in common. */
    private record Common(boolean keyed, Outcome outcome, String code, boolean repeat, boolean mayTryAgain) {}

    /** @param capacity how many attempts fill it */
    AttemptLog(long capacity) {
        this.capacity = capacity;
    }

    /** @throws LoadFailure if the memory has room for next to nothing */
    static AttemptLog ofMemory(long bytes) {
        long capacity = bytes / BYTES_WITH_CHECK;
        if (capacity < LEAST_CAPACITY) {
            throw new LoadFailure("There is too little memory for the record of what was answered; give more, as in "
                    + "TALOS_LOADGEN_JAVA_OPTS=-Xmx512m, or have fewer readers or partitions");
        }
        return new AttemptLog(capacity);
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
        if (size % CHUNK_ATTEMPTS == 0) {
            chunks.add(ByteBuffer.allocate(CHUNK_ATTEMPTS * BYTES));
        }
        Put put = attempt.put();
        chunks.get(chunks.size() - 1)
                .putShort((short) put.writer())
                .putInt(put.number())
                .putShort((short) put.count())
                .putLong(attempt.startNanos())
                .putLong(attempt.endNanos())
                .putShort((short) put.partition())
                .put((byte) attempt.gateway())
                .put((byte) common(attempt))
                .putInt(attempt.timeoutMs())
                .putLong(attempt.answer().firstOffset());
        size++;
    }

    private int common(Attempt attempt) {
        PutAnswer answer = attempt.answer();
        Common wanted = new Common(
                attempt.put().keyed(), answer.outcome(), answer.code(), answer.repeat(), answer.mayTryAgain());
        int known = common.indexOf(wanted);
        if (known >= 0) {
            return known;
        }
        if (common.size() == MAX_COMMON) {
            throw new IllegalStateException("no gateway has so many error codes");
        }
        common.add(wanted);
        return common.size() - 1;
    }

    /** In the order in which they ended. Nothing may be added meanwhile. */
    void forEach(Consumer<Attempt> action) {
        for (long index = 0; index < size(); index++) {
            action.accept(get(index));
        }
    }

    private synchronized Attempt get(long index) {
        ByteBuffer bytes =
                chunks.get((int) (index / CHUNK_ATTEMPTS)).duplicate().position((int) (index % CHUNK_ATTEMPTS) * BYTES);
        int writer = Short.toUnsignedInt(bytes.getShort());
        int number = bytes.getInt();
        int count = Short.toUnsignedInt(bytes.getShort());
        long startNanos = bytes.getLong();
        long endNanos = bytes.getLong();
        int partition = Short.toUnsignedInt(bytes.getShort());
        int gateway = Byte.toUnsignedInt(bytes.get());
        Common of = common.get(Byte.toUnsignedInt(bytes.get()));
        int timeoutMs = bytes.getInt();
        PutAnswer answer = new PutAnswer(of.outcome, of.code, bytes.getLong(), of.repeat, of.mayTryAgain, -1);
        return new Attempt(
                new Put(writer, number, partition, count, of.keyed), gateway, startNanos, endNanos, timeoutMs, answer);
    }

    /** The attempts of a put, for people. */
    List<String> describe(int writer, int number, List<String> gateways) {
        List<String> lines = new ArrayList<>();
        forEach(attempt -> {
            if (attempt.put().writer() == writer && attempt.put().number() == number && lines.size() < MOST_SHOWN) {
                lines.add(describe(attempt, gateways));
            }
        });
        return lines;
    }

    private static String describe(Attempt attempt, List<String> gateways) {
        PutAnswer answer = attempt.answer();
        return "at %.3f s, by %s, after %.3f s of %.3f s: %s%s%s"
                .formatted(
                        attempt.startNanos() / 1e9,
                        gateways.get(attempt.gateway()),
                        (attempt.endNanos() - attempt.startNanos()) / 1e9,
                        attempt.timeoutMs() / 1e3,
                        answer.code(),
                        answer.outcome() == Outcome.STORED ? " at offset " + answer.firstOffset() : "",
                        answer.repeat() ? ", a repeat" : "");
    }
}
