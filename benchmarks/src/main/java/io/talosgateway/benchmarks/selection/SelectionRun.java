package io.talosgateway.benchmarks.selection;

import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import io.talosgateway.loadgen.process.ContextSwitches;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.ExecutorListener;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.QueueLimits;
import io.talosgateway.scheduler.WheelTimer;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.infra.Blackhole;

/** Offers a load to a pool and measures. Times are counted from when a task was due, so that no stall is left out. */
final class SelectionRun {

    static final int DEPTHS = 5;

    private final Policy policy;
    private final int threads;
    private final Load load;
    private final Random random;
    private final Histogram latency = new ConcurrentHistogram(3);
    private final LongAdder queuedNanos = new LongAdder();
    private final AtomicLongArray byThread;
    private final AtomicLongArray byDepth = new AtomicLongArray(DEPTHS);
    private final KeyedThreadPool<Integer> pool;
    private volatile boolean counts;

    SelectionRun(Policy policy, int threads, Load load, WheelTimer timer) {
        this.policy = policy;
        this.threads = threads;
        this.load = load;
        this.random = new Random(load.seed());
        this.byThread = new AtomicLongArray(threads);
        this.pool = new KeyedThreadPool<>(
                new KeyedThreadPoolConfig(
                        "selection",
                        threads,
                        policy.placement(),
                        QueueLimits.ofTasks(Integer.MAX_VALUE, Integer.MAX_VALUE),
                        16),
                System::nanoTime,
                timer,
                Runnable::run,
                new Watcher());
    }

    private final class Watcher implements ExecutorListener {

        @Override
        public void queued(int worker) {
            if (counts) {
                byThread.incrementAndGet(worker);
                byDepth.incrementAndGet(Math.max(0, Math.min(DEPTHS - 1, pool.load(worker) - 1)));
            }
        }

        @Override
        public void started(int worker, long nanos) {
            if (counts) {
                queuedNanos.add(nanos);
            }
        }
    }

    /** Computes a little, then waits, as for a disk. */
    private final class Work extends KeyedTask<Integer> {

        private final long dueAtNanos;
        private final long waitNanos;
        private final boolean isCounted;

        Work(int key, long dueAtNanos, long waitNanos) {
            super(key, Priority.NORMAL, Deadline.NONE);
            this.dueAtNanos = dueAtNanos;
            this.waitNanos = waitNanos;
            this.isCounted = counts;
        }

        @Override
        protected void run() {
            Blackhole.consumeCPU(load.cpuTokens());
            long untilNanos = System.nanoTime() + waitNanos;
            for (long left = waitNanos; left > 0; left = untilNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            if (isCounted) {
                latency.recordValue(System.nanoTime() - dueAtNanos);
            }
        }

        @Override
        protected void abandoned(Exception reason) {
            throw new IllegalStateException("no task has a deadline", reason);
        }
    }

    Selection measure() throws InterruptedException {
        pool.start();
        offer(load.warmupSeconds());
        counts = true;
        long switchesBefore = ContextSwitches.soFar();
        offer(load.seconds());
        long switches = ContextSwitches.soFar() - switchesBefore;
        counts = false;
        pool.drain(Deadline.NONE);
        return new Selection(
                policy,
                threads,
                latency.getMean() / 1e6,
                latency.getValueAtPercentile(50) / 1e6,
                latency.getValueAtPercentile(99) / 1e6,
                queuedNanos.sum() / 1e6 / latency.getTotalCount(),
                (double) switches / load.seconds(),
                copy(byThread),
                copy(byDepth));
    }

    private void offer(int seconds) {
        long dueAtNanos = System.nanoTime();
        long endNanos = dueAtNanos + TimeUnit.SECONDS.toNanos(seconds);
        while (true) {
            dueAtNanos += exponential(1e9 / load.perSecond());
            if (dueAtNanos - endNanos >= 0) {
                return;
            }
            for (long left = dueAtNanos - System.nanoTime(); left > 0; left = dueAtNanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            pool.execute(new Work(random.nextInt(load.keys()), dueAtNanos, exponential(load.waitMs() * 1e6)));
        }
    }

    private long exponential(double mean) {
        return (long) (-mean * Math.log(1 - random.nextDouble()));
    }

    private static List<Long> copy(AtomicLongArray from) {
        return IntStream.range(0, from.length()).mapToObj(from::get).toList();
    }
}
