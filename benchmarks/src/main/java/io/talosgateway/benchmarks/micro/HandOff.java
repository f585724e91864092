package io.talosgateway.benchmarks.micro;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import com.google.common.util.concurrent.MoreExecutors;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.ExecutorListener;
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

    void close() throws InterruptedException;

    static HandOff start(String executor, int keys, int threads) {
        return switch (executor) {
            case "least-loaded" -> new Scheduler(PlacementPolicy.LEAST_LOADED, keys, threads);
            case "hash" -> new Scheduler(PlacementPolicy.HASH, keys, threads);
            case "striped" -> new Striped(threads);
            case "sequential" -> new Sequential(keys, threads);
            default -> throw new IllegalArgumentException("no such executor: " + executor);
        };
    }

    /** The gateway's. */
    final class Scheduler implements HandOff {

        /** What a client of the Talos SDK allows a request, in nanoseconds. */
        private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(10);

        private final Integer[] keys;
        private final WheelTimer timer = new WheelTimer("timer", System::nanoTime).start();
        private final KeyedThreadPool<Integer> pool;

        Scheduler(PlacementPolicy policy, int keys, int threads) {
            this.keys = new Integer[keys];
            for (int key = 0; key < keys; key++) {
                this.keys[key] = key;
            }
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
            pool.execute(new TimedTask(keys[key], work));
        }

        @Override
        public void close() throws InterruptedException {
            pool.drain(Deadline.NONE);
            timer.close();
        }
    }

    /** A thread and a queue for each stripe, keys bound to a stripe for ever. */
    final class Striped implements HandOff {

        private final List<ExecutorService> stripes = new ArrayList<>();

        Striped(int threads) {
            for (int stripe = 0; stripe < threads; stripe++) {
                stripes.add(new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()));
            }
        }

        private record PlainTask(Runnable work) implements Runnable {
            @Override
            public void run() {
                work.run();
            }
        }

        @Override
        public void submit(int key, Runnable work) {
            stripes.get(key % stripes.size()).execute(new PlainTask(work));
        }

        @Override
        public void close() {
            stripes.forEach(ExecutorService::shutdown);
        }
    }

    /** Guava's sequential executor for each key, on one pool. */
    final class Sequential implements HandOff {

        private final ExecutorService pool;
        private final List<Executor> executors = new ArrayList<>();

        Sequential(int keys, int threads) {
            pool = new ThreadPoolExecutor(threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
            for (int key = 0; key < keys; key++) {
                executors.add(MoreExecutors.newSequentialExecutor(pool));
            }
        }

        @Override
        public void submit(int key, Runnable work) {
            executors.get(key).execute(new Striped.PlainTask(work));
        }

        @Override
        public void close() {
            pool.shutdown();
        }
    }
}
