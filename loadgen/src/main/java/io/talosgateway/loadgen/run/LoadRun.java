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
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import javax.net.ssl.SSLException;

import com.sun.management.OperatingSystemMXBean;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Connection;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Watch;
import io.talosgateway.loadgen.http.Wire;
import io.talosgateway.loadgen.measure.GcPauses;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.SettledRate;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Pacing;
import io.talosgateway.loadgen.plan.Traffic;
import io.talosgateway.loadgen.request.ClientRequest;
import io.talosgateway.loadgen.request.Requests;
import org.jspecify.annotations.Nullable;

/**
 * One run of load: each client waits for its answer before it goes on. In a closed loop, so that the rate is
 * what the gateway makes of so many waiting clients; in an open loop, with enough clients, the rate is given. A client has a
 * thread of its own, or a few event loops drive them all. {@link #run} is called once; {@link #interrupt} by any thread.
 */
public final class LoadRun {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long ANSWER_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int WATCH_TICK_MS = 500;
    private static final int STACK_BYTES = 256 * 1024;

    private final LoadPlan plan;
    private final RunMonitor monitor;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final Window window;
    private final InetSocketAddress address;
    private final Wire.Factory wires;
    private final Map<Kind, KindRecorder> recorders = new EnumMap<>(Kind.class);
    private final Clients producers;
    private final Clients readers;
    private final List<Runnable> drivers = new ArrayList<>();
    private final Watch watch = new Watch(WATCH_TICK_MS);
    private int driven;

    private volatile boolean interrupted;
    private volatile @Nullable String failure;

    /** Those that send requests of a kind. */
    private record Clients(Traffic traffic, List<Client> list) {}

    /**
     * Makes ready what is sent; the time begins to run with {@link #run}.
     *
     * @throws LoadFailure if that cannot be
     */
    public LoadRun(LoadPlan plan, RunMonitor monitor) throws InterruptedException {
        this.plan = plan;
        this.monitor = monitor;
        this.address = plan.target().endpoint().address();
        this.wires = plan.target().endpoint().wires();
        this.window = new Window(plan.warmup().most(), plan.duration());
        Requests requests = new Requests(plan, InstantSource.system());
        this.producers = clients(Kind.PUT, plan.puts(), requests::put);
        this.readers = clients(Kind.GET, plan.gets(), requests::get);
    }

    private Clients clients(Kind kind, Traffic traffic, IntFunction<ClientRequest> requests) {
        if (traffic.clients() == 0) {
            return new Clients(traffic, List.of());
        }
        KindRecorder recorder = new KindRecorder();
        recorders.put(kind, recorder);
        return new Clients(
                traffic,
                IntStream.range(0, traffic.clients())
                        .mapToObj(number -> new Client(recorder, window, this::giveUp, requests.apply(number)))
                        .toList());
    }

    private void makeDrivers() {
        List<EventLoop> loops = new ArrayList<>();
        for (int number = 0; plan.ioThreads() != null && number < plan.ioThreads(); number++) {
            loops.add(new EventLoop(window, address, wires, plan.target().newConnections(), ANSWER_TIMEOUT_NANOS));
        }
        drivers.addAll(loops);
        add(producers, loops);
        add(readers, loops);
    }

    /** @param loops that drive the clients; none for a thread for each client */
    private void add(Clients clients, List<EventLoop> loops) {
        Double rate = clients.traffic.rate();
        Pacing pacing = rate == null ? null : new Pacing(rate, window::startNanos);
        for (int number = 0; number < clients.list.size(); number++) {
            Client client = clients.list.get(number);
            if (loops.isEmpty()) {
                Connection connection = connection(client.request().newAnswer());
                drivers.add(new Worker(connection, client, pacing, plan.target().newConnections()));
            } else {
                loops.get(driven++ % loops.size()).add(client, pacing);
            }
        }
    }

    private Connection connection(HttpAnswer answer) {
        Connection connection = new Connection(address, wires, ANSWER_TIMEOUT_NANOS, answer);
        watch.add(connection);
        return connection;
    }

    private void giveUp(String reason) {
        if (failure == null) {
            failure = reason;
        }
        window.close(System.nanoTime());
    }

    /** Ends the run early; {@link #run} returns what there is. */
    public void interrupt() {
        if (!window.isOver(System.nanoTime())) {
            interrupted = true;
        }
        window.close(System.nanoTime());
    }

    /**
     * Runs the load.
     *
     * @throws LoadFailure if it cannot begin
     */
    public RunFacts run() throws InterruptedException {
        try (watch;
                GcPauses gcPauses = new GcPauses()) {
            watch.start();
            lookForServer();
            makeDrivers();
            return run(gcPauses);
        }
    }

    private RunFacts run(GcPauses gcPauses) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < drivers.size(); number++) {
            threads.add(start("load-" + number, drivers.get(number)));
        }
        // Not before: a busy machine may take seconds to start hundreds of threads.
        Instant startedAt = Instant.now();
        window.start(System.nanoTime());
        SettledRate rate = new SettledRate();
        awaitUntil(window::fromNanos, nowNanos -> {
            monitor.warmUp(taken(), nowNanos - window.startNanos());
            if (plan.warmup().untilSettled() && rate.second(answered())) {
                window.open(nowNanos);
            }
        });
        long fromNanos = System.nanoTime();
        monitor.begin(taken(), !window.isOver(fromNanos));
        long cpuBeforeNanos = system.getProcessCpuTime();
        awaitUntil(window::untilNanos, nowNanos -> monitor.second(taken(), nowNanos - fromNanos));
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        // Every request ends in its time, so every thread does.
        for (Thread thread : threads) {
            thread.join();
        }
        monitor.end(taken(), window.untilNanos() - fromNanos);
        return new RunFacts(
                startedAt.truncatedTo(ChronoUnit.MILLIS).toString(),
                Math.max(0, window.fromNanos() - window.startNanos()) / 1e9,
                window.seconds(),
                interrupted,
                failure,
                cpuNanos,
                gcPauses.since(fromNanos));
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
    private void awaitUntil(LongSupplier untilNanos, LongConsumer seconds) throws InterruptedException {
        long nowNanos = System.nanoTime();
        long nextNanos = nowNanos + SECOND_NANOS;
        while (nowNanos - untilNanos.getAsLong() < 0 && !window.isOver(nowNanos)) {
            window.sleep(Math.min(nextNanos, untilNanos.getAsLong()) - nowNanos);
            nowNanos = System.nanoTime();
            if (nowNanos - nextNanos >= 0) {
                nextNanos += SECOND_NANOS * (1 + (nowNanos - nextNanos) / SECOND_NANOS);
                if (untilNanos.getAsLong() - nowNanos > SECOND_NANOS / 2) {
                    seconds.accept(nowNanos);
                }
            }
        }
    }

    /** What came of the requests since the last call. */
    private Map<Kind, Tally> taken() {
        Map<Kind, Tally> taken = new EnumMap<>(Kind.class);
        recorders.forEach((kind, recorder) -> taken.put(kind, recorder.take()));
        return taken;
    }

    /** From the beginning of the warm-up on. */
    private long answered() {
        return recorders.values().stream().mapToLong(KindRecorder::answered).sum();
    }
}
