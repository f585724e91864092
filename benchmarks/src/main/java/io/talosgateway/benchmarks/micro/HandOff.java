package io.talosgateway.benchmarks.micro;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.google.common.util.concurrent.MoreExecutors;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.ExecutorListener;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.PlacementPolicy;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.QueueLimits;
import io.talosgateway.scheduler.WheelTimer;

/** An executor that runs the tasks of a key one at a time and in order. */
interface HandOff {

    void submit(int key, Runnable work);

    default void close() throws InterruptedException {}

    static HandOff start(String executor, int keys, int threads) {
        return switch (executor) {
            case "run-or-queue" ->
                new Scheduler(PlacementPolicy.LEAST_LOADED, KeyedExecutor::runOrQueue, keys, threads);
            case "least-loaded" -> new Scheduler(PlacementPolicy.LEAST_LOADED, KeyedExecutor::execute, keys, threads);
            case "hash" -> new Scheduler(PlacementPolicy.HASH, KeyedExecutor::execute, keys, threads);
            // A thread and a queue for each stripe, keys bound to a stripe for ever.
            case "striped" -> {
                List<ExecutorService> stripes = Stream.generate(() -> Executors.newFixedThreadPool(1))
                        .limit(threads)
                        .toList();
                yield new Plain(stripes, keys, key -> stripes.get(key % threads));
            }
            // Guava's sequential executor for each key, on one pool.
            case "sequential" -> {
                ExecutorService pool = Executors.newFixedThreadPool(threads);
                yield new Plain(List.of(pool), keys, key -> MoreExecutors.newSequentialExecutor(pool));
            }
            default -> throw new IllegalArgumentException("no such executor: " + executor);
        };
    }

    /** The gateway's. */
    final class Scheduler implements HandOff {

        /** What a client of the Talos SDK allows a request, in nanoseconds. */
        private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

        private final List<Integer> keys;
        private final WheelTimer timer = new WheelTimer("timer", System::nanoTime).start();
        private final KeyedThreadPool<Integer> pool;
        private final BiConsumer<KeyedExecutor<Integer>, KeyedTask<Integer>> submission;

        Scheduler(
                PlacementPolicy policy,
                BiConsumer<KeyedExecutor<Integer>, KeyedTask<Integer>> submission,
                int keys,
                int threads) {
            this.submission = submission;
            this.keys = IntStream.range(0, keys).boxed().toList();
            QueueLimits limits = QueueLimits.ofTasks(1 << 20, 1 << 20);
            this.pool = new KeyedThreadPool<Integer>(
                            new KeyedThreadPoolConfig("worker", threads, policy, limits, 16),
                            System::nanoTime,
                            timer,
                            Runnable::run,
                            ExecutorListener.NONE)
                    .start();
        }

        private static final class TimedTask extends KeyedTask<Integer> {
            private final Runnable work;

            TimedTask(Integer key, Runnable work) {
                super(key, Priority.NORMAL, Deadline.at(System.nanoTime() + TIMEOUT_NANOS));
                this.work = work;
            }

            @Override
            protected void run() {
                work.run();
            }

            @Override
            protected void abandoned(Exception reason) {
                throw new IllegalStateException("the benchmark is too slow for its deadlines", reason);
            }
        }

        @Override
        public void submit(int key, Runnable work) {
            submission.accept(pool, new TimedTask(keys.get(key), work));
        }

        @Override
        public void close() throws InterruptedException {
            pool.drain(Deadline.NONE);
            timer.close();
        }
    }

    /** An executor for each key, on pools of the JDK. */
    final class Plain implements HandOff {

        private final List<ExecutorService> pools;
        private final List<Executor> byKey;

        Plain(List<ExecutorService> pools, int keys, IntFunction<Executor> executorOfKey) {
            this.pools = pools;
            this.byKey = IntStream.range(0, keys).mapToObj(executorOfKey).toList();
        }

        /** Allocated for each, as a task of the scheduler is. */
        private record Task(Runnable work) implements Runnable {
            @Override
            public void run() {
                work.run();
            }
        }

        @Override
        public void submit(int key, Runnable work) {
            byKey.get(key).execute(new Task(work));
        }

        @Override
        public void close() {
            pools.forEach(ExecutorService::shutdown);
        }
    }
}
