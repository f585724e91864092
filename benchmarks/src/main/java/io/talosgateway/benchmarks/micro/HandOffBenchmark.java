package io.talosgateway.benchmarks.micro;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to hand over a task that does next to nothing, keys taken in turn: the gateway's scheduler, with a
 * priority and a deadline for each task, beside executors that keep keys in order and know neither.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = "-Xmx1g")
public class HandOffBenchmark {

    static final int BURST = 4096;

    @Param({"run-or-queue", "queue", "striped"})
    public String executor = "";

    @Param({"1", "120", "12000"})
    public int keys;

    @Param({"4", "200"})
    public int threads;

    private final AtomicInteger unfinished = new AtomicInteger();
    private final Runnable work = this::finishOne;
    private volatile @Nullable Thread submitter;
    private HandOff handOff = (key, task) -> {};
    private int nextKey;

    @Setup
    public void start() {
        handOff = HandOff.start(executor, keys, threads);
    }

    @TearDown
    public void stop() throws InterruptedException {
        handOff.close();
    }

    /** The cost of a task when workers have enough to do. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public void burst() {
        submitAndAwait(BURST);
    }

    /** The time from a submission until the submitter hears that the task was run: two wake-ups, mostly. */
    @Benchmark
    public void roundTrip() {
        submitAndAwait(1);
    }

    private void submitAndAwait(int tasks) {
        HandOff current = handOff;
        submitter = Thread.currentThread();
        unfinished.set(tasks);
        for (int task = 0; task < tasks; task++) {
            current.submit(nextKey, work);
            nextKey = nextKey + 1 == keys ? 0 : nextKey + 1;
        }
        while (unfinished.get() > 0) {
            LockSupport.park(this);
        }
    }

    private void finishOne() {
        if (unfinished.decrementAndGet() == 0) {
            LockSupport.unpark(submitter);
        }
    }
}
