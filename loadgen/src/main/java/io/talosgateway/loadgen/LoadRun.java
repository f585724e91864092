package io.talosgateway.loadgen;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import org.jspecify.annotations.Nullable;

/**
 * One run of load: each thread waits for its answer before it goes on. In a closed loop, so that the rate is what the gateway
 * makes of so many waiting clients; in an open loop, with enough threads, the rate is given. {@link #run} is called once; {@link #interrupt} by any thread.
 */
final class LoadRun {

    private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long JOIN_POLL_MS = 500;
    private static final int STACK_BYTES = 256 * 1024;
    private static final int RUN_ID_BYTES = 8;

    private final LoadPlan plan;
    private final Progress progress;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Window window;
    private final List<Worker> producers = new ArrayList<>();
    private final List<Worker> readers = new ArrayList<>();

    private volatile boolean interrupted;
    private volatile @Nullable String failure;

    /** The time begins to run now. */
    LoadRun(LoadPlan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
        this.window = new Window(System.nanoTime(), plan.warmup(), plan.duration());
        InetSocketAddress address = plan.endpoint().address();
        Payload payload = new Payload(plan.size(), plan.seed());
        Pacing pacing = Pacing.of(plan.putRate(), window.startNanos());
        String runId = runId();
        for (int number = 0; number < plan.putThreads(); number++) {
            String keyPrefix = plan.idempotencyKeys() ? "%s-%d-".formatted(runId, number) : null;
            PutRequest request = new PutRequest(plan, number, payload, keyPrefix);
            producers.add(new Producer(connection(address), window, pacing, this::giveUp, request, plan.size()));
        }
        for (int number = 0; number < plan.getThreads(); number++) {
            GetRequest request = new GetRequest(plan, number);
            readers.add(new Reader(connection(address), window, this::giveUp, request));
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
        List<Thread> threads = new ArrayList<>();
        start(threads, "put-", producers);
        start(threads, "get-", readers);
        awaitUntil("warm-up", window.fromNanos());
        if (!window.isOver(System.nanoTime())) {
            progress.say("The warm-up is over; now it counts");
        }
        long cpuBeforeNanos = system.getProcessCpuTime();
        awaitUntil("measuring", window.untilNanos());
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        progress.end();
        for (Thread thread : threads) {
            join(thread);
        }
        return report(cpuNanos);
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

    /** Shows the rates until then, or until the window is closed. */
    private void awaitUntil(String phase, long untilNanos) throws InterruptedException {
        long beganAtNanos = System.nanoTime();
        long shownAtNanos = beganAtNanos;
        long[] shown = totals();
        long nowNanos = beganAtNanos;
        while (nowNanos - untilNanos < 0 && !window.isOver(nowNanos)) {
            window.await(Math.min(PROGRESS_NANOS - (nowNanos - shownAtNanos), untilNanos - nowNanos));
            nowNanos = System.nanoTime();
            if (nowNanos - shownAtNanos >= PROGRESS_NANOS) {
                long[] now = totals();
                progress.rates(
                        "%s %d s".formatted(phase, TimeUnit.NANOSECONDS.toSeconds(nowNanos - beganAtNanos)),
                        (nowNanos - shownAtNanos) / 1e9,
                        now[0] - shown[0],
                        now[1] - shown[1],
                        now[2] - shown[2]);
                shown = now;
                shownAtNanos = nowNanos;
                giveUpStuckRequests(nowNanos);
            }
        }
    }

    /** Puts, gets and errors. */
    private long[] totals() {
        return new long[] {
            producers.stream().mapToLong(worker -> worker.tally().answered()).sum(),
            readers.stream().mapToLong(worker -> worker.tally().answered()).sum(),
            producers.stream().mapToLong(worker -> worker.tally().failed()).sum()
                    + readers.stream()
                            .mapToLong(worker -> worker.tally().failed())
                            .sum()
        };
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

    private Report report(long cpuNanos) {
        Summary put = plan.putThreads() == 0 ? null : summary(producers);
        Summary get = plan.getThreads() == 0 ? null : summary(readers);
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
                get);
    }

    private Summary summary(List<Worker> workers) {
        Tally all = new Tally();
        workers.forEach(worker -> all.add(worker.tally()));
        return Summary.of(all, window.seconds());
    }
}
