package io.talosgateway.verifier;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;

/**
 * Does one thing after another to the hosts of a cluster, each when the one before is over and its time has come, and puts every
 * host back. {@link #run} is called once, by the thread that does it; {@link #current} by any.
 */
final class Faults {

    private static final Duration READY_POLL = Duration.ofMillis(100);
    private static final Duration READY_AT_MOST = Duration.ofMinutes(1);
    /** A fault whose host cannot be put back that long before the end, and half the time between faults, is left out. */
    private static final Duration TIME_TO_RECOVER = Duration.ofSeconds(5);

    private final Supplier<Fault> schedule;
    private final Duration every;
    private final VerifiedHosts hosts;
    private final BooleanSupplier allReady;
    private final LongSupplier clock;
    private final Periods periods;
    private final Consumer<String> say;
    private final IntFunction<DuringPause> beforePause;
    /** Whose host is not what it was. */
    private @Nullable Fault underWay;

    private volatile String current = "none";

    /** Requests to a gateway that is about to be paused. */
    interface DuringPause extends AutoCloseable {

        /** While it is paused. */
        void send();

        /** When it goes on. */
        void receive();

        @Override
        void close();
    }

    /**
     * Faults.
     *
     * @param every from the beginning of one to that of the next
     * @param allReady whether all gateways are ready
     * @param clock nanoseconds since the run began
     * @param say tells the user
     * @param beforePause prepares requests to a gateway that is about to be paused
     */
    Faults(
            Supplier<Fault> schedule,
            Duration every,
            VerifiedHosts hosts,
            BooleanSupplier allReady,
            LongSupplier clock,
            Periods periods,
            Consumer<String> say,
            IntFunction<DuringPause> beforePause) {
        this.schedule = schedule;
        this.every = every;
        this.hosts = hosts;
        this.allReady = allReady;
        this.clock = clock;
        this.periods = periods;
        this.say = say;
        this.beforePause = beforePause;
    }

    /** What is done at the moment, for people. Any thread. */
    String current() {
        return current;
    }

    /**
     * Goes on until it is told to stop, or there is no time for another fault; then every host is back.
     *
     * @param untilNanos when the run ends
     * @throws LoadFailure if a command fails
     */
    void run(long untilNanos, CountDownLatch stop) throws InterruptedException {
        long dueNanos = clock.getAsLong() + every.toNanos() / 4;
        try {
            while (true) {
                Fault fault = schedule.get();
                long lastsNanos = fault.hold().toNanos() + Math.max(TIME_TO_RECOVER.toNanos(), every.toNanos() / 2);
                if (dueNanos + lastsNanos > untilNanos
                        || stop.await(dueNanos - clock.getAsLong(), TimeUnit.NANOSECONDS)) {
                    return;
                }
                inject(fault, stop);
                dueNanos = Math.max(dueNanos + every.toNanos(), clock.getAsLong() + every.toNanos() / 4);
            }
        } finally {
            putBack();
            current = "none";
        }
    }

    private void inject(Fault fault, CountDownLatch stop) throws InterruptedException {
        current = fault.toString();
        say.accept(fault
                + (fault.hold().isZero()
                        ? ""
                        : " for %.1f s".formatted(fault.hold().toMillis() / 1e3)));
        FaultKind kind = fault.kind();
        periods.begin(fault, clock.getAsLong());
        underWay = fault;
        long backNanos;
        try (DuringPause requests =
                kind == FaultKind.PAUSE ? beforePause.apply(fault.excused().get(0)) : null) {
            hosts.run(kind.command(), fault.host(), fault.arguments());
            stop.await(fault.hold().toNanos(), TimeUnit.NANOSECONDS);
            if (requests != null) {
                requests.send();
            }
            putBack();
            backNanos = clock.getAsLong();
            periods.back(backNanos);
            if (requests != null) {
                requests.receive();
            }
        }
        current = "recovering from " + fault;
        awaitReady(stop, backNanos + READY_AT_MOST.toNanos());
        // A run that ends does not wait for the gateway: until it is ready, it cannot be held to answer.
        if (!fault.excused().isEmpty() && (stop.getCount() > 0 || allReady.getAsBoolean())) {
            periods.ready(clock.getAsLong());
        }
        current = "none";
    }

    private void awaitReady(CountDownLatch stop, long untilNanos) throws InterruptedException {
        while (!allReady.getAsBoolean()
                && clock.getAsLong() < untilNanos
                && !stop.await(READY_POLL.toMillis(), TimeUnit.MILLISECONDS)) {}
    }

    private void putBack() throws InterruptedException {
        Fault fault = underWay;
        if (fault == null) {
            return;
        }
        String undo = fault.kind().undo;
        if (undo != null) {
            hosts.run(undo, fault.host(), List.of());
        }
        underWay = null;
    }
}
