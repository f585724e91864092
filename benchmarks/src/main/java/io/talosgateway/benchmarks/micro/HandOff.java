package io.talosgateway.benchmarks.micro;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
            case "run-or-queue" -> new Scheduler(KeyedExecutor::runOrQueue, keys, threads);
            case "queue" -> new Scheduler(KeyedExecutor::execute, keys, threads);
            case "striped" ->
                new Striped(Stream.generate(() -> Executors.newFixedThreadPool(1))
                        .limit(threads)
                        .toList());
            default -> throw new IllegalArgumentException("no such executor: " + executor);
        };
    }

    /** The gateway's. */
    final class Scheduler implements HandOff {

        private final List<Integer> keys;
        private final WheelTimer timer = new WheelTimer("timer", System::nanoTime).start();
        private final KeyedThreadPool<Integer> pool;
        private final BiConsumer<KeyedExecutor<Integer>, KeyedTask<Integer>> submission;

        Scheduler(BiConsumer<KeyedExecutor<Integer>, KeyedTask<Integer>> submission, int keys, int threads) {
            this.submission = submission;
            this.keys = IntStream.range(0, keys).boxed().toList();
            QueueLimits limits = QueueLimits.ofTasks(1 << 20, 1 << 20);
            this.pool = new KeyedThreadPool<Integer>(
                            new KeyedThreadPoolConfig("worker", threads, PlacementPolicy.LEAST_LOADED, limits, 16),
                            System::nanoTime,
                            timer,
                            Runnable::run,
                            ExecutorListener.NONE)
                    .start();
        }

        private static final class TimedTask extends KeyedTask<Integer> {
            private final Runnable work;

            TimedTask(Integer key, Runnable work) {
                // What a client of the Talos SDK allows a request.
                super(key, Priority.NORMAL, Deadline.after(System::nanoTime, Duration.ofSeconds(10)));
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

    /** A thread and a queue for each stripe, keys bound to a stripe for ever. */
    record Striped(List<ExecutorService> stripes) implements HandOff {

        @Override
        public void submit(int key, Runnable work) {
            stripes.get(key % stripes.size()).execute(work);
        }

        @Override
        public void close() {
            stripes.forEach(ExecutorService::shutdown);
        }
    }
}
