package io.talosgateway.verifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.TopicSetup;
import io.talosgateway.loadgen.http.Watch;
import io.talosgateway.loadgen.plan.Pacing;
import org.jspecify.annotations.Nullable;

/**
 * One run: makes a topic, puts and reads while faults happen, waits until all is well again, reads everything, and checks. {@link
 * #run} is called once; {@link #interrupt} by any thread.
 */
public final class VerifyRun {

    private static final int WATCH_TICK_MS = 20;
    private static final Duration PROGRESS = Duration.ofSeconds(5);
    private static final Duration SETTLES_AT_FIRST = Duration.ofMinutes(1);
    private static final Duration WARMS_UP = Duration.ofSeconds(5);
    private static final Duration PHASES_LOOK = Duration.ofMillis(100);
    /** The load goes on for at most this long, until there were enough phases. */
    private static final Duration PHASES_TAKE_AT_MOST = Duration.ofSeconds(30);

    private static final Duration SETTLES_AFTER_FAULTS = Duration.ofMinutes(2);
    private static final Duration LAST_READING = Duration.ofMinutes(5);
    private static final int LAST_READERS = 4;
    private static final Duration LONG_RETENTION = Duration.ofDays(30);
    /** Puts that a writer of those that share all partitions has under way. */
    private static final int WINDOW = 4;

    private static final int STACK_BYTES = 512 * 1024;
    /** Of the puts that the record has room for, so many begin: the rest is for attempts again. */
    private static final double SHARE_OF_FIRST_ATTEMPTS = 0.75;

    private final VerifyPlan plan;
    private final VerifiedCluster cluster;
    private final Progress progress;
    private final Namespace names;
    private final SplittableRandom random;
    private final RunRecord books;
    private final VerifyContext context;
    private final @Nullable Faults faults;
    private final Phases phases;

    private final CountDownLatch stopFaults = new CountDownLatch(1);
    private final CountDownLatch stopWriters = new CountDownLatch(1);
    private final CountDownLatch stopReaders = new CountDownLatch(1);
    private final AtomicReference<@Nullable LoadFailure> failure = new AtomicReference<>();
    private volatile boolean wasInterrupted;
    private boolean wasFull;

    /** What a thread of the run does. */
    interface Task {
        void run() throws InterruptedException;
    }

    /**
     * The time begins to run now.
     *
     * @param schedule says which fault is the next; null for no faults
     * @param startedAtMs epoch milliseconds
     * @param memoryBytes that the record may take
     */
    public VerifyRun(
            VerifyPlan plan,
            VerifiedCluster cluster,
            @Nullable Supplier<Fault> schedule,
            Progress progress,
            long startedAtMs,
            long memoryBytes) {
        this.plan = plan;
        this.cluster = cluster;
        this.progress = progress;
        String topic = "verify-%d-%d".formatted(plan.seed, TimeUnit.MILLISECONDS.toSeconds(startedAtMs));
        this.names = new Namespace(topic, plan.keptPartitions());
        this.random = new SplittableRandom(plan.seed);
        this.books = new RunRecord(
                names,
                plan.partitions,
                cluster.gatewayNames(),
                AttemptLog.ofMemory(memoryBytes),
                plan.tolerance.toNanos());
        long zeroNanos = System.nanoTime();
        this.context = new VerifyContext(
                plan,
                cluster,
                names,
                new WrittenContent(new SplittableRandom(plan.seed ^ startedAtMs).nextLong(), plan.size),
                () -> System.nanoTime() - zeroNanos,
                new Watch(WATCH_TICK_MS),
                new GatewayChoice(cluster.gateways().size()),
                new KeyMemory(plan.partitions),
                books);
        VerifiedHosts hosts = cluster.hosts();
        this.faults = schedule == null || hosts == null
                ? null
                : new Faults(
                        schedule,
                        plan.faultEvery,
                        hosts,
                        () -> cluster.notReady().isEmpty(),
                        context.clock(),
                        books.periods,
                        progress::say,
                        gateway -> new BufferedGets(context, gateway));
        this.phases = new Phases(context, this::thread, random.split(), stopWriters);
    }

    /** Ends the run early; {@link #run} puts all hosts back and checks what there is. */
    public void interrupt() {
        wasInterrupted = stopFaults.getCount() > 0;
        stopFaults.countDown();
    }

    /**
     * Runs.
     *
     * @throws LoadFailure if it cannot begin
     */
    public VerifyReport run() throws InterruptedException {
        context.watch().start();
        try {
            makeTopic();
            Settling settling = new Settling(context, random.split());
            String notWell = settling.settle(context.nowNanos() + SETTLES_AT_FIRST.toNanos());
            if (notWell != null) {
                throw new LoadFailure("The cluster is not well, so nothing was checked: " + notWell);
            }
            settling.warmUp(context.nowNanos() + WARMS_UP.toNanos());
            progress.say("Topic %s with %d partitions, seed %d".formatted(names.topic(), plan.partitions, plan.seed));
            long beganNanos = context.nowNanos();
            load(beganNanos);
            double seconds = (context.nowNanos() - beganNanos) / 1e9;
            settleAndReadAll(settling);
            Counts counts = new Check(books, plan::waitsForEachAnswer).run();
            VerifyReport report =
                    VerifyReport.of(context, seconds, wasInterrupted, wasFull, failure.get(), counts, phases.summary());
            if (report.isGood()) {
                deleteTopic();
            }
            return report;
        } finally {
            context.watch().close();
        }
    }

    private void makeTopic() throws InterruptedException {
        for (int gateway = 0; ; gateway++) {
            try {
                makeTopics(cluster.gateways().get(gateway).endpoint());
                return;
            } catch (LoadFailure e) {
                if (gateway + 1 == cluster.gateways().size()) {
                    throw e;
                }
            }
        }
    }

    private void makeTopics(Endpoint endpoint) throws InterruptedException {
        // A clock that is put forward must not make these expire.
        Duration kept = plan.faults.contains(FaultKind.CLOCK) ? LONG_RETENTION : null;
        TopicSetup.prepare(endpoint, cluster.credentials(), names.topic(), plan.keptPartitions(), kept);
        Duration retention = plan.retention;
        if (retention != null) {
            TopicSetup.prepare(
                    endpoint,
                    cluster.credentials(),
                    names.expiringTopic(),
                    plan.partitions - plan.keptPartitions(),
                    retention);
        }
    }

    private void load(long beganNanos) throws InterruptedException {
        long untilNanos = beganNanos + plan.duration.toNanos();
        List<Thread> readers = readers();
        List<Thread> writers = writers(beganNanos);
        Thread phasesThread = thread("phases", phases::run);
        books.periods.begin("none", context.nowNanos());
        Thread faultThread = thread("faults", () -> {
            if (faults != null) {
                faults.run(untilNanos, stopFaults);
            }
        });
        follow(beganNanos, untilNanos);
        // Hosts are put back while there is load, so that it is seen how they come back.
        stopFaults.countDown();
        faultThread.join();
        books.periods.begin("end", context.nowNanos());
        stopWriters.countDown();
        join(writers);
        stopReaders.countDown();
        join(readers);
        phasesThread.join();
    }

    private List<Thread> readers() {
        List<Thread> threads = new ArrayList<>();
        for (int partition = 0; partition < plan.partitions; partition++) {
            for (int number = 0; number < plan.readers; number++) {
                String name = "reader %d of partition %d".formatted(number, partition);
                PartitionReader reader =
                        new PartitionReader(context, name, partition, false, random.split(), stopReaders);
                threads.add(thread(name, reader::run));
            }
        }
        return threads;
    }

    /** Writers that wait for each answer have one put to each of their partitions under way; the others share all partitions. */
    private List<Thread> writers(long beganNanos) {
        Pacing pacing = new Pacing(putRate(), () -> beganNanos);
        List<Integer> all = IntStream.range(0, plan.partitions).boxed().toList();
        List<Thread> threads = new ArrayList<>();
        for (int writer = 0; writer < plan.writers; writer++) {
            AtomicInteger numbers = new AtomicInteger();
            if (plan.waitsForEachAnswer(writer)) {
                for (int partition = writer % plan.orderedWriters();
                        partition < plan.partitions;
                        partition += plan.orderedWriters()) {
                    threads.add(writer(writer, numbers, List.of(partition), pacing));
                }
            } else {
                for (int window = 0; window < WINDOW; window++) {
                    threads.add(writer(writer, numbers, all, pacing));
                }
            }
        }
        return threads;
    }

    private Thread writer(int writer, AtomicInteger numbers, List<Integer> partitions, Pacing pacing) {
        return thread(
                "writer " + writer,
                new Writer(context, writer, numbers, partitions, pacing, random.split(), stopWriters)::run);
    }

    private int putRate() {
        double most = SHARE_OF_FIRST_ATTEMPTS * books.attempts.capacity() / Math.max(1, plan.duration.toSeconds());
        if (plan.putRate <= most) {
            return plan.putRate;
        }
        progress.say(
                "The memory has room for the record of %,d requests, so the rate is limited to %,.0f puts/s; more memory allows more (TALOS_LOADGEN_JAVA_OPTS=-Xmx2g)"
                        .formatted(books.attempts.capacity(), most));
        return Math.max(1, (int) most);
    }

    private Thread thread(String name, Task task) {
        Thread thread = new Thread(null, () -> runGuarded(name, task), name, STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** A mistake of ours must not look like a good run. */
    private void runGuarded(String name, Task task) {
        try {
            task.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (LoadFailure e) {
            fail(e);
        } catch (RuntimeException | Error e) {
            fail(new LoadFailure("The load generator made a mistake in " + name + ": " + e, e));
        }
    }

    /** Ends the load early; what there is, is checked. */
    private void fail(LoadFailure reason) {
        failure.compareAndSet(null, reason);
        stopFaults.countDown();
    }

    /** How long until there is a reason to look again; negative at the end of the load. */
    private long leftNanos(long untilNanos) {
        long leftNanos = untilNanos - context.nowNanos();
        return leftNanos > 0 || phases.areEnough()
                ? leftNanos
                : Math.min(PHASES_LOOK.toNanos(), leftNanos + PHASES_TAKE_AT_MOST.toNanos());
    }

    private void follow(long beganNanos, long untilNanos) throws InterruptedException {
        long leftNanos = leftNanos(untilNanos);
        while (leftNanos > 0 && !stopFaults.await(Math.min(leftNanos, PROGRESS.toNanos()), TimeUnit.NANOSECONDS)) {
            long nowNanos = context.nowNanos();
            if (nowNanos < untilNanos) {
                show(TimeUnit.NANOSECONDS.toSeconds(nowNanos - beganNanos));
            }
            if (books.attempts.isFull()) {
                wasFull = true;
                progress.say("The record is full: the run ends early, and is checked");
                return;
            }
            leftNanos = leftNanos(untilNanos);
        }
        progress.end();
    }

    private void show(long seconds) {
        progress.show("%d s: %,d messages acknowledged, %,d read; puts unknown %,d, refused %,d; fault: %s"
                .formatted(
                        seconds,
                        books.acknowledged.sum(),
                        books.read.sum(),
                        books.unknown.sum(),
                        books.refused.sum(),
                        faults == null ? "none" : faults.current()));
    }

    static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void settleAndReadAll(Settling settling) throws InterruptedException {
        progress.say("Waits until all is well, and reads everything");
        String notWell = settling.settle(context.nowNanos() + SETTLES_AFTER_FAULTS.toNanos());
        if (notWell != null) {
            books.violations.add(
                    Rule.SERVES_AGAIN,
                    "%d s after the last fault: %s".formatted(SETTLES_AFTER_FAULTS.toSeconds(), notWell));
        }
        long untilNanos = context.nowNanos() + LAST_READING.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < LAST_READERS; number++) {
            int first = number;
            SplittableRandom ofThread = random.split();
            threads.add(thread("last reader " + number, () -> readPartitions(first, ofThread, untilNanos)));
        }
        join(threads);
    }

    private void readPartitions(int first, SplittableRandom ofThread, long untilNanos) throws InterruptedException {
        for (int partition = first; partition < plan.partitions; partition += LAST_READERS) {
            PartitionReader reader = new PartitionReader(
                    context, "the last reader", partition, true, ofThread.split(), new CountDownLatch(1));
            if (!reader.readAll(untilNanos)) {
                books.violations.add(
                        Rule.SERVES_AGAIN, "partition %d could not be read to its end".formatted(partition));
            }
        }
    }

    /**
     * A bad topic is left for whoever wants to look at it. A good one goes: a host remembers a bounded number of idempotency
     * keys, and those of a topic that nobody needs would leave less for the next run.
     */
    private void deleteTopic() throws InterruptedException {
        try {
            Endpoint endpoint = cluster.gateways().get(0).endpoint();
            TopicSetup.delete(endpoint, cluster.credentials(), names.topic());
            if (plan.retention != null) {
                TopicSetup.delete(endpoint, cluster.credentials(), names.expiringTopic());
            }
        } catch (LoadFailure e) {
            progress.say("A topic of %s is still there: %s".formatted(names.topic(), e.getMessage()));
        }
    }
}
