package io.talosgateway.loadgen;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

import com.sun.management.OperatingSystemMXBean;
import org.jspecify.annotations.Nullable;

/**
 * One run of load: each thread waits for its answer before it goes on. In a closed loop, so that the rate is what the gateway
 * makes of so many waiting clients; in an open loop, with enough threads, the rate is given. {@link #run} is called once; {@link #interrupt} by any thread.
 */
final class LoadRun {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Off a terminal, a line every so many seconds. */
    private static final int PROGRESS_SECONDS = 2;

    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long JOIN_POLL_MS = 500;
    private static final int STACK_BYTES = 256 * 1024;
    private static final int RUN_ID_BYTES = 8;

    private final LoadPlan plan;
    private final Progress progress;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Window window;
    private final Instant startedAt = Instant.now();
    private final KindRecorder puts = new KindRecorder();
    private final KindRecorder gets = new KindRecorder();
    private final Timeline timeline;
    private final @Nullable OpsScraper ops;
    private final List<Worker> producers = new ArrayList<>();
    private final List<Worker> readers = new ArrayList<>();

    private volatile boolean interrupted;
    private volatile @Nullable String failure;

    /**
     * The time begins to run now.
     *
     * @param log hears the latencies of each second that counts
     * @param ops looks at the gateway's metrics; null if nobody does
     */
    LoadRun(LoadPlan plan, Progress progress, IntervalLog log, @Nullable OpsScraper ops) {
        this.plan = plan;
        this.progress = progress;
        this.ops = ops;
        Map<Kind, KindRecorder> recorders = new EnumMap<>(Kind.class);
        if (plan.putThreads() > 0) {
            recorders.put(Kind.PUT, puts);
        }
        if (plan.getThreads() > 0) {
            recorders.put(Kind.GET, gets);
        }
        this.timeline = new Timeline(recorders, log);
        this.window = new Window(System.nanoTime(), plan.warmup(), plan.duration());
        InetSocketAddress address = plan.endpoint().address();
        Payload payload = new Payload(plan.size(), plan.seed());
        Pacing pacing = Pacing.of(plan.putRate(), window.startNanos());
        String runId = runId();
        for (int number = 0; number < plan.putThreads(); number++) {
            String keyPrefix = plan.idempotencyKeys() ? "%s-%d-".formatted(runId, number) : null;
            PutRequest request = new PutRequest(plan, number, payload, keyPrefix);
            producers.add(new Producer(connection(address), window, pacing, puts, this::giveUp, request, plan.size()));
        }
        for (int number = 0; number < plan.getThreads(); number++) {
            GetRequest request = new GetRequest(plan, number);
            readers.add(new Reader(connection(address), window, gets, this::giveUp, request));
        }
    }

    private static Connection connection(InetSocketAddress address) {
        return new Connection(address, ANSWER_TIMEOUT_NANOS, new HttpAnswer());
    }

    /** Not of the seed: a run that is made again has the same payload, and its puts must not be taken for repeats. */
    private static String runId() {
        byte[] id = new byte[RUN_ID_BYTES];
        new SecureRandom().nextBytes(id);
        return HexFormat.of().formatHex(id);
    }

    private void giveUp(String reason) {
        if (failure == null) {
            failure = reason;
        }
        window.close(System.nanoTime());
    }

    /** Ends the run early; {@link #run} returns what there is. */
    void interrupt() {
        interrupted = !window.isOver(System.nanoTime());
        window.close(System.nanoTime());
    }

    /**
     * Runs the load.
     *
     * @throws LoadFailure if nothing answers at the endpoint
     */
    Report run() throws InterruptedException {
        lookForServer();
        try (GcPauses gcPauses = new GcPauses();
                OpsScraper scraper = ops) {
            if (scraper != null) {
                scraper.start();
            }
            return run(gcPauses);
        }
    }

    private Report run(GcPauses gcPauses) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        start(threads, "put-", producers);
        start(threads, "get-", readers);
        awaitUntil("warm-up", window.fromNanos(), nowNanos -> {});
        long fromNanos = System.nanoTime();
        timeline.begin(fromNanos);
        if (!window.isOver(System.nanoTime())) {
            progress.say("The warm-up is over; now it counts");
        }
        long cpuBeforeNanos = system.getProcessCpuTime();
        awaitUntil("measuring", window.untilNanos(), timeline::second);
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        progress.end();
        for (Thread thread : threads) {
            join(thread);
        }
        timeline.end(window.untilNanos());
        return report(cpuNanos, gcPauses.since(fromNanos), ops == null ? List.of() : ops.since(fromNanos));
    }

    private void lookForServer() {
        try (Connection connection = connection(plan.endpoint().address())) {
            connection.open();
        } catch (IOException e) {
            throw new LoadFailure(
                    "Nothing answers at %s. Does the gateway run, and is the address right?".formatted(plan.endpoint()),
                    e);
        }
    }

    private static void start(List<Thread> threads, String name, List<Worker> workers) {
        for (int number = 0; number < workers.size(); number++) {
            Thread thread = new Thread(null, workers.get(number), name + number, STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /**
     * Shows the rates until then, or until the window is closed.
     *
     * @param second hears of each second, but for one at the end of which there is no half a second left
     */
    private void awaitUntil(String phase, long untilNanos, LongConsumer second) throws InterruptedException {
        long beganAtNanos = System.nanoTime();
        long shownAtNanos = beganAtNanos;
        long[] shown = totals();
        int seconds = 0;
        long nowNanos = beganAtNanos;
        while (nowNanos - untilNanos < 0 && !window.isOver(nowNanos)) {
            long nextNanos = beganAtNanos + (seconds + 1) * SECOND_NANOS;
            window.await(Math.min(nextNanos, untilNanos) - nowNanos);
            nowNanos = System.nanoTime();
            if (nowNanos - nextNanos < 0) {
                continue;
            }
            seconds = (int) TimeUnit.NANOSECONDS.toSeconds(nowNanos - beganAtNanos);
            if (untilNanos - nowNanos > SECOND_NANOS / 2) {
                second.accept(nowNanos);
            }
            giveUpStuckRequests(nowNanos);
            if (progress.isTerminal() || seconds % PROGRESS_SECONDS == 0) {
                long[] now = totals();
                progress.rates(
                        "%s %d s".formatted(phase, seconds),
                        (nowNanos - shownAtNanos) / 1e9,
                        now[0] - shown[0],
                        now[1] - shown[1],
                        now[2] - shown[2]);
                shown = now;
                shownAtNanos = nowNanos;
            }
        }
    }

    /** Puts, gets and errors. */
    private long[] totals() {
        return new long[] {puts.answered(), gets.answered(), puts.failed() + gets.failed()};
    }

    private void giveUpStuckRequests(long nowNanos) {
        producers.forEach(worker -> worker.giveUpIfDue(nowNanos));
        readers.forEach(worker -> worker.giveUpIfDue(nowNanos));
    }

    /** Every request ends in its time, so every thread does. */
    private void join(Thread thread) throws InterruptedException {
        thread.join(JOIN_POLL_MS);
        while (thread.isAlive()) {
            giveUpStuckRequests(System.nanoTime());
            thread.join(JOIN_POLL_MS);
        }
    }

    private Report report(long cpuNanos, List<GcPause> gcPauses, List<ServerSecond> server) {
        Summary put = plan.putThreads() == 0 ? null : summary(Kind.PUT);
        Summary get = plan.getThreads() == 0 ? null : summary(Kind.GET);
        long answered = (put == null ? 0 : put.count()) + (get == null ? 0 : get.count());
        return new Report(
                plan.endpoint().toString(),
                plan.topic(),
                plan.partitions(),
                plan.putThreads(),
                plan.getThreads(),
                plan.putRate(),
                plan.size(),
                plan.idempotencyKeys(),
                plan.seed(),
                Math.max(0, window.fromNanos() - window.startNanos()) / 1e9,
                window.seconds(),
                interrupted,
                failure,
                answered == 0 ? 0 : Math.round(cpuNanos / 10.0 / answered) / 100.0,
                put,
                get,
                Report.FORMAT,
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                Environment.here(),
                timeline.seconds(),
                gcPauses,
                server);
    }

    private Summary summary(Kind kind) {
        return Summary.of(timeline.total(kind), window.seconds());
    }
}
