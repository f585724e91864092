package io.talosgateway.loadgen.run;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import javax.net.ssl.SSLException;

import com.sun.management.OperatingSystemMXBean;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Connection;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.measure.GcPauses;
import io.talosgateway.loadgen.measure.IdleCount;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.SettledRate;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.Idle;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Pacing;
import io.talosgateway.loadgen.plan.Traffic;
import io.talosgateway.loadgen.process.ContextSwitches;
import io.talosgateway.loadgen.request.Requests;
import org.jspecify.annotations.Nullable;

/**
 * One run of load in this process: each client waits for its answer before it goes on. In a closed loop, so that the rate is
 * what the gateway makes of so many waiting clients; in an open loop, with enough clients, the rate is given. A client has a
 * thread of its own, or a few event loops drive them all.
 */
public final class LoadRun implements Load {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long JOIN_POLL_MS = 500;
    private static final int STACK_BYTES = 256 * 1024;

    private final LoadPlan plan;
    private final Consumer<RunEvent> listener;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Window window;
    private final InetSocketAddress address;
    private final Wire.Factory wires;
    private final Map<Kind, KindRecorder> recorders = new EnumMap<>(Kind.class);
    private final List<Client> producers;
    private final List<Client> readers;
    private final KindRecorder idlePuts = new KindRecorder();
    private final List<Client> idleClients;
    private final List<Driver> drivers = new ArrayList<>();
    private int driven;
    private final CountDownLatch measured = new CountDownLatch(1);

    private volatile boolean interrupted;
    private volatile @Nullable String failure;

    /**
     * Makes ready what is sent; the time begins to run with {@link #run}.
     *
     * @throws LoadFailure if that cannot be
     */
    public LoadRun(LoadPlan plan, Consumer<RunEvent> listener) throws InterruptedException {
        this.plan = plan;
        this.listener = listener;
        this.address = plan.target().endpoint().address();
        this.wires = plan.target().endpoint().wires();
        this.window = new Window(plan.warmup().most(), plan.duration());
        Requests requests = new Requests(plan, InstantSource.system());
        this.producers = clients(plan.puts().clients(), number -> producer(requests, number));
        this.readers = clients(plan.gets().clients(), number -> reader(requests, number));
        this.idleClients = idleClients();
    }

    private static List<Client> clients(int count, IntFunction<Client> client) {
        return IntStream.range(0, count).mapToObj(client).toList();
    }

    private KindRecorder recorder(Kind kind) {
        return recorders.computeIfAbsent(kind, none -> new KindRecorder());
    }

    private Client producer(Requests requests, int number) {
        return new Client(recorder(Kind.PUT), window, this::giveUp, requests.put(number));
    }

    private Client reader(Requests requests, int number) {
        return new Client(recorder(Kind.GET), window, this::giveUp, requests.get(number));
    }

    private List<Client> idleClients() throws InterruptedException {
        if (plan.idle().connections() == 0) {
            return List.of();
        }
        Requests requests = new Requests(plan.withContent(Idle.content(plan.content())), InstantSource.system());
        return clients(
                plan.idle().connections(), number -> new Client(idlePuts, window, this::giveUp, requests.put(number)));
    }

    private void makeDrivers() {
        boolean eachItsOwn = plan.target().newConnections();
        List<EventLoop> loops = loops(plan.ioThreads() == null ? 0 : plan.ioThreads(), eachItsOwn);
        add(producers, plan.puts(), loops);
        add(readers, plan.gets(), loops);
        add(idleClients, plan.idle().traffic(), loops(idleClients.isEmpty() ? 0 : 1, false));
    }

    private List<EventLoop> loops(int count, boolean eachItsOwn) {
        List<EventLoop> loops = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            loops.add(new EventLoop(window, address, wires, eachItsOwn, ANSWER_TIMEOUT_NANOS, measured));
        }
        drivers.addAll(loops);
        return loops;
    }

    /** @param loops that drive the clients; none for a thread for each client */
    private void add(List<Client> clients, Traffic traffic, List<EventLoop> loops) {
        IntFunction<@Nullable Pacing> pacing = traffic.pacing(plan.process(), window.startNanos());
        for (int number = 0; number < clients.size(); number++) {
            Client client = clients.get(number);
            Pacing pace = pacing.apply(number);
            if (loops.isEmpty()) {
                Connection connection = connection(client.request().newAnswer());
                drivers.add(new Worker(connection, client, pace, plan.target().newConnections(), measured));
            } else {
                loops.get(driven++ % loops.size()).add(client, pace);
            }
        }
    }

    private Connection connection(HttpAnswer answer) {
        return new Connection(address, wires, ANSWER_TIMEOUT_NANOS, answer);
    }

    private void giveUp(String reason) {
        if (failure == null) {
            failure = reason;
        }
        window.close(System.nanoTime());
    }

    @Override
    public void interrupt() {
        if (!window.isOver(System.nanoTime())) {
            interrupted = true;
        }
        window.close(System.nanoTime());
    }

    /** Ends the warm-up now. Any thread. */
    public void endWarmup() {
        window.open(System.nanoTime());
    }

    @Override
    public RunFacts run() throws InterruptedException {
        lookForServer();
        Instant startedAt = Instant.now();
        window.start(System.nanoTime());
        makeDrivers();
        try (GcPauses gcPauses = new GcPauses()) {
            return run(startedAt, gcPauses);
        }
    }

    private RunFacts run(Instant startedAt, GcPauses gcPauses) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < drivers.size(); number++) {
            threads.add(start("load-" + number, drivers.get(number)));
        }
        SettledRate rate = new SettledRate();
        awaitUntil(RunEvent.Type.WARM_UP, window::fromNanos, nowNanos -> {
            if (plan.endsItsWarmup() && rate.second(totals().answered())) {
                window.open(nowNanos);
            }
        });
        long fromNanos = System.nanoTime();
        listener.accept(RunEvent.tallies(RunEvent.Type.BEGIN, take(), 0, !window.isOver(fromNanos)));
        long cpuBeforeNanos = system.getProcessCpuTime();
        long switchesBefore = ContextSwitches.soFar();
        awaitUntil(
                RunEvent.Type.MEASURING,
                window::untilNanos,
                nowNanos ->
                        listener.accept(RunEvent.tallies(RunEvent.Type.SECOND, take(), nowNanos - fromNanos, true)));
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        long switchesAfter = ContextSwitches.soFar();
        measured.countDown();
        for (Thread thread : threads) {
            join(thread);
        }
        listener.accept(RunEvent.tallies(RunEvent.Type.END, take(), window.untilNanos() - fromNanos, true));
        return new RunFacts(
                startedAt.truncatedTo(ChronoUnit.SECONDS).toString(),
                Math.max(0, window.fromNanos() - window.startNanos()) / 1e9,
                window.seconds(),
                interrupted,
                failure,
                cpuNanos,
                switchesBefore == 0 ? null : Long.valueOf(switchesAfter - switchesBefore),
                gcPauses.since(fromNanos),
                idleClients.isEmpty()
                        ? null
                        : new IdleCount(idleClients.size(), idlePuts.answered(), idlePuts.failed()));
    }

    private void lookForServer() {
        try (Connection connection = connection(new HttpAnswer())) {
            connection.open();
        } catch (IOException e) {
            if (e.getCause() instanceof SSLException reason) {
                throw new LoadFailure(
                        "There is no TLS with %s: %s. Name the certificates to trust with --tls-ca."
                                .formatted(plan.target().endpoint(), reason.getMessage()),
                        e);
            }
            throw new LoadFailure(
                    "Nothing answers at %s. Does the gateway run, and is the address right?"
                            .formatted(plan.target().endpoint()),
                    e);
        }
    }

    private static Thread start(String name, Runnable runnable) {
        Thread thread = new Thread(null, runnable, name, STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Tells of the seconds until then, or until the window is closed.
     *
     * @param seconds hears of each second, but for one at the end of which there is no half a second left
     */
    private void awaitUntil(RunEvent.Type phase, LongSupplier untilNanos, LongConsumer seconds)
            throws InterruptedException {
        long beganAtNanos = System.nanoTime();
        int second = 0;
        long nowNanos = beganAtNanos;
        while (nowNanos - untilNanos.getAsLong() < 0 && !window.isOver(nowNanos)) {
            long nextNanos = beganAtNanos + (second + 1) * SECOND_NANOS;
            long stepNanos = Math.min(nextNanos, untilNanos.getAsLong()) - nowNanos;
            if (phase == RunEvent.Type.WARM_UP) {
                window.awaitOpen(stepNanos);
            } else {
                window.await(stepNanos);
            }
            nowNanos = System.nanoTime();
            if (nowNanos - nextNanos < 0) {
                continue;
            }
            second = (int) TimeUnit.NANOSECONDS.toSeconds(nowNanos - beganAtNanos);
            if (untilNanos.getAsLong() - nowNanos > SECOND_NANOS / 2) {
                seconds.accept(nowNanos);
            }
            giveUpStuckRequests(nowNanos);
            listener.accept(RunEvent.progress(phase, second, totals()));
        }
        listener.accept(RunEvent.progress(phase, second, totals()));
    }

    private Map<Kind, Tally> take() {
        Map<Kind, Tally> taken = new EnumMap<>(Kind.class);
        recorders.forEach((kind, recorder) -> taken.put(kind, recorder.take()));
        return taken;
    }

    private RunEvent.Totals totals() {
        KindRecorder puts = recorders.get(Kind.PUT);
        KindRecorder gets = recorders.get(Kind.GET);
        return new RunEvent.Totals(
                puts == null ? 0 : puts.answered(),
                gets == null ? 0 : gets.answered(),
                recorders.values().stream().mapToLong(KindRecorder::failed).sum());
    }

    private void giveUpStuckRequests(long nowNanos) {
        drivers.forEach(driver -> driver.giveUpIfDue(nowNanos));
    }

    /** Every request ends in its time, so every thread does. */
    private void join(Thread thread) throws InterruptedException {
        thread.join(JOIN_POLL_MS);
        while (thread.isAlive()) {
            giveUpStuckRequests(System.nanoTime());
            thread.join(JOIN_POLL_MS);
        }
    }
}
