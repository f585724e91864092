package io.talosgateway.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.sun.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * Gives a target mutated inputs, one after another. Time is CPU time of the thread, so that a busy machine makes no difference;
 * and an input has to take too much time, or memory, twice.
 */
public final class Fuzzer {

    /** No input may take longer. */
    static final Duration MOST_TIME = Duration.ofSeconds(1);

    /** After so much CPU time of one input it is not waited for any more. */
    private static final Duration HANGS = Duration.ofSeconds(30);

    private static final Path FAILURES = Path.of("target", "fuzz-failures");
    private static final int SHOWN_BYTES = 2000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /**
     * What was done.
     *
     * @param decoded inputs that were not refused
     * @param slowestMicros most CPU time of one input
     * @param mostBytes most bytes that one input allocated
     */
    public record Counts(long inputs, long decoded, long slowestMicros, long mostBytes) {}

    /** Whether to go on. */
    @FunctionalInterface
    interface Until {
        boolean isReached(long inputs);
    }

    private final FuzzTarget<?> target;
    private final Mutations mutations;
    private volatile long startedAtCpuNanos;
    private volatile byte[] current = new byte[0];
    private long decoded;
    private long slowestNanos;
    private long mostBytes;

    public Fuzzer(FuzzTarget<?> target) {
        this.target = target;
        this.mutations = new Mutations(target.seeds());
    }

    /** Valid inputs first, each must be decoded; then mutated ones, the same for the same seed. */
    Counts run(long seed, Until until) throws InterruptedException {
        return watched(() -> {
            for (byte[] valid : target.seeds()) {
                if (!holds(valid)) {
                    throw failure("a valid input is refused", valid, null);
                }
            }
            long number = 0;
            while (!until.isReached(number)) {
                byte[] input = mutations.mutated(seed + number);
                if ((number & 1) != 0) {
                    input = target.repair().apply(input);
                }
                if (holds(input)) {
                    decoded++;
                }
                number++;
            }
            return new Counts(number, decoded, slowestNanos / 1000, mostBytes);
        });
    }

    /** One input; whoever has made it. */
    public void run(byte[] input) throws InterruptedException {
        watched(() -> holds(input));
    }

    /** One input, on this thread: whoever calls watches the time. */
    void runHere(byte[] input) {
        holds(input);
    }

    /** Runs on a thread of its own, because one that hangs cannot be ended. */
    private <R> R watched(java.util.concurrent.Callable<R> work) throws InterruptedException {
        FutureTask<R> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "fuzzer-" + target);
        thread.setDaemon(true);
        thread.start();
        while (true) {
            try {
                return task.get(1, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                long used = THREADS.getThreadCpuTime(thread.getId()) - startedAtCpuNanos;
                if (startedAtCpuNanos > 0 && used > HANGS.toNanos()) {
                    AssertionError hang = failure("an input takes more than " + HANGS, current, null);
                    hang.setStackTrace(thread.getStackTrace());
                    throw hang;
                }
            } catch (ExecutionException e) {
                throw e.getCause() instanceof AssertionError known ? known : new AssertionError(e.getCause());
            }
        }
    }

    private <T> boolean holds(FuzzTarget<T> of, byte[] input) {
        current = input;
        T result = measured(of, input);
        if (result == null) {
            return false;
        }
        try {
            of.check().check(result);
        } catch (Throwable e) {
            throw failure("what was decoded fails its check: " + e, input, e);
        }
        return true;
    }

    private boolean holds(byte[] input) {
        return holds(target, input);
    }

    private <T> @Nullable T measured(FuzzTarget<T> of, byte[] input) {
        long most = of.memory().bytes(input.length);
        for (int trial = 0; ; trial++) {
            byte[] copy = input.clone();
            long bytesBefore = THREADS.getCurrentThreadAllocatedBytes();
            long cpuBefore = THREADS.getCurrentThreadCpuTime();
            startedAtCpuNanos = cpuBefore;
            T result;
            try {
                result = of.decoder().decode(copy);
            } catch (Throwable e) {
                throw failure("it throws " + e, input, e);
            }
            long nanos = THREADS.getCurrentThreadCpuTime() - cpuBefore;
            long bytes = THREADS.getCurrentThreadAllocatedBytes() - bytesBefore;
            boolean isTooMuch = nanos > MOST_TIME.toNanos() || bytes > most;
            if (!isTooMuch) {
                slowestNanos = Math.max(slowestNanos, nanos);
                mostBytes = Math.max(mostBytes, bytes);
                return result;
            }
            // The first time it may have loaded classes.
            if (trial == 2) {
                throw failure(
                        "it takes %d ms of CPU time and allocates %d bytes; %d ms and %d bytes are allowed"
                                .formatted(nanos / 1_000_000, bytes, MOST_TIME.toMillis(), most),
                        input,
                        null);
            }
        }
    }

    private AssertionError failure(String what, byte[] input, @Nullable Throwable cause) {
        try {
            Files.createDirectories(FAILURES);
            Path file = Files.write(
                    FAILURES.resolve("%s-%08x.bin".formatted(target, java.util.Arrays.hashCode(input))), input);
            String hex = HexFormat.of().formatHex(input, 0, Math.min(input.length, SHOWN_BYTES));
            return new AssertionError(
                    "%s: %s. The input has %d bytes and is in %s: %s".formatted(target, what, input.length, file, hex),
                    cause);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
