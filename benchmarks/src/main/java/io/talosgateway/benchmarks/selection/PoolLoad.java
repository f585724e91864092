package io.talosgateway.benchmarks.selection;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.talosgateway.loadgen.cli.CommandLines;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.Warmup;
import io.talosgateway.loadgen.process.ContextSwitches;
import io.talosgateway.loadgen.report.ResultFile;
import io.talosgateway.loadgen.report.ResultFolder;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.ExecutorListener;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.PlacementPolicy;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.QueueLimits;
import io.talosgateway.scheduler.WheelTimer;
import org.openjdk.jmh.infra.Blackhole;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Offers a load to a pool of threads, and measures. Times are counted from when a task was due, so that no stall is left out. */
@Command(
        name = "pool-load",
        description = {
            "Offers tasks to the gateway's scheduler at random times (a Poisson process), each of a random key. A task computes a "
                    + "little and then waits, as a put that is written and synced by its thread.",
            ""
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class PoolLoad implements Callable<Integer> {

    private static final Map<String, PlacementPolicy> POLICIES =
            Map.of("hash", PlacementPolicy.HASH, "least-loaded", PlacementPolicy.LEAST_LOADED);
    /** Tasks a second. */
    private static final int RATE = 4000;

    private static final int KEYS = 1200;
    /** What a task computes, as JMH counts it: some 15 µs. */
    private static final long CPU_TOKENS = 10_000;
    /** How long a task waits then, in the mean; exponentially distributed. */
    private static final double WAIT_NANOS = 3e6;

    @Option(names = "--threads", paramLabel = "N", defaultValue = "200", description = "Default: ${DEFAULT-VALUE}.")
    private int threads;

    @Option(
            names = "--policy",
            paramLabel = "hash|least-loaded",
            defaultValue = "least-loaded",
            description = "How the thread of an idle key is chosen. Default: ${DEFAULT-VALUE}.")
    private String policy = "";

    @Option(
            names = {"-w", "--warmup"},
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "Tasks before any counts. Default: ${DEFAULT-VALUE}.")
    private Warmup warmup = Warmup.AUTO;

    @Option(
            names = {"-d", "--duration"},
            paramLabel = "TIME",
            defaultValue = "5s",
            description = "Tasks that count. Default: ${DEFAULT-VALUE}.")
    private Duration duration = Duration.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of times, keys and waits. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            required = true,
            description = "Write result.json and put.hlog to this folder.")
    private Path out = Path.of("");

    /** With the fields and units of {@code talos-loadgen run}: a task is a put. */
    private record Result(int threads, String policy, Summary put, Map<String, Double> values) {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return CommandLines.of(new PoolLoad(), LoadFailure.class::isInstance)
                .registerConverter(Warmup.class, CommandLines.reading(Warmup::parse));
    }

    @Override
    public Integer call() throws InterruptedException {
        LoadFailure.check(threads >= 1, "--threads must be 1 or more");
        LoadFailure.check(POLICIES.containsKey(policy), "--policy must be hash or least-loaded");
        LoadFailure.check(duration.toMillis() >= 1, "--duration must be positive");
        try (WheelTimer timer = new WheelTimer("timer", System::nanoTime).start();
                ResultFolder folder = new ResultFolder(out)) {
            new Run(timer).measure(folder);
        }
        return 0;
    }

    /** For one thread, which offers the tasks. */
    private final class Run {

        private final Random random = new Random(seed);
        private final KindRecorder recorder = new KindRecorder();
        private final LongAdder queuedNanos = new LongAdder();
        private final LongAdder behindAnother = new LongAdder();
        private final AtomicLongArray byThread = new AtomicLongArray(threads);
        private final KeyedThreadPool<Integer> pool;
        private volatile boolean counts;

        Run(WheelTimer timer) {
            pool = new KeyedThreadPool<>(
                    new KeyedThreadPoolConfig(
                            "selection",
                            threads,
                            POLICIES.getOrDefault(policy, PlacementPolicy.LEAST_LOADED),
                            QueueLimits.ofTasks(Integer.MAX_VALUE, Integer.MAX_VALUE),
                            16),
                    System::nanoTime,
                    timer,
                    Runnable::run,
                    new Watcher());
        }

        void measure(ResultFolder folder) throws InterruptedException {
            pool.start();
            offer(warmup.most());
            System.out.println("The warm-up is over; now it counts");
            folder.begin();
            counts = true;
            long switchesBefore = ContextSwitches.soFar();
            offer(duration);
            double switches = ContextSwitches.soFar() - switchesBefore;
            counts = false;
            pool.drain(Deadline.NONE);
            Tally tally = recorder.take();
            double seconds = duration.toMillis() / 1000.0;
            Summary tasks = Summary.of(tally, seconds);
            LoadFailure.check(tasks.count() > 0, "There was no task in the time that counts; use a longer --duration");
            folder.interval(Kind.PUT, 0, seconds, tally.latency());
            Map<String, Double> values = new TreeMap<>(Map.of(
                    "pool.queueMs",
                    queuedNanos.sum() / 1e6 / tasks.count(),
                    "pool.switchesPerSecond",
                    switches / seconds,
                    "pool.busiestPercent",
                    percent(tasksByThread(threads).max().orElse(0)),
                    "pool.behindPercent",
                    percent(behindAnother.sum())));
            for (int first : new int[] {8, 16, 32}) {
                values.put(
                        "pool.first%dPercent".formatted(first),
                        percent(tasksByThread(first).sum()));
            }
            ResultFile.write(out.resolve(ResultFolder.RESULT), new Result(threads, policy, tasks, values));
        }

        private LongStream tasksByThread(int first) {
            return IntStream.range(0, Math.min(first, threads)).mapToLong(byThread::get);
        }

        /** Of all tasks that count. */
        private double percent(long tasks) {
            return 100.0 * tasks / tasksByThread(threads).sum();
        }

        private void offer(Duration time) {
            long dueAtNanos = System.nanoTime();
            long endNanos = dueAtNanos + time.toNanos();
            while (true) {
                dueAtNanos += exponential(1e9 / RATE);
                if (dueAtNanos - endNanos >= 0) {
                    return;
                }
                parkUntil(dueAtNanos);
                pool.execute(new Work(random.nextInt(KEYS), dueAtNanos, exponential(WAIT_NANOS)));
            }
        }

        private long exponential(double mean) {
            return (long) (-mean * Math.log(1 - random.nextDouble()));
        }

        private static void parkUntil(long nanos) {
            for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }

        private final class Watcher implements ExecutorListener {

            @Override
            public void queued(int worker) {
                if (counts) {
                    byThread.incrementAndGet(worker);
                    if (pool.load(worker) > 1) {
                        behindAnother.increment();
                    }
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
            private final boolean isCounted = counts;

            Work(int key, long dueAtNanos, long waitNanos) {
                super(key, Priority.NORMAL, Deadline.NONE);
                this.dueAtNanos = dueAtNanos;
                this.waitNanos = waitNanos;
            }

            @Override
            protected void run() {
                Blackhole.consumeCPU(CPU_TOKENS);
                parkUntil(System.nanoTime() + waitNanos);
                recorder.answered(isCounted, System.nanoTime() - dueAtNanos, 1, 0);
            }

            @Override
            protected void abandoned(Exception reason) {
                throw new IllegalStateException("no task has a deadline", reason);
            }
        }
    }
}
