package io.talosgateway.rest.placement;

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.Election;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.NanoClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The part of a host that is the cluster's controller while this host is elected: writes the placement, by compare-and-set.
 * Does nothing otherwise. Nothing but how soon partitions are served depends on there being one, and only one.
 */
public final class PlacementController implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PlacementController.class);
    /** Also how late a delay may be noticed to be over. */
    private static final long TICK_MS = 100;

    private final Election election;
    private final Hosts hosts;
    private final PlacementRecord record;
    private final NanoClock clock;
    private final PlacementConfig config;
    private final ScheduledExecutorService thread;

    // Of the thread.
    private PlacementRules rules;
    private boolean wasElected;

    public PlacementController(
            PlacementConfig config, Election election, Hosts hosts, PlacementRecord record, NanoClock clock) {
        this.config = config;
        this.election = election;
        this.hosts = hosts;
        this.record = record;
        this.clock = clock;
        this.rules = new PlacementRules(config);
        this.thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread controller = new Thread(task, "controller");
            controller.setDaemon(true);
            return controller;
        });
    }

    public void start(String host) {
        election.onElected(this::tickSoon);
        hosts.onChange(this::tickSoon);
        election.stand(host);
        thread.scheduleWithFixedDelay(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    private void tickSoon() {
        try {
            thread.execute(this::tick);
        } catch (RejectedExecutionException e) {
            log.debug("The controller is closed", e);
        }
    }

    private void tick() {
        try {
            decide();
        } catch (GatewayException e) {
            log.warn("The placement could not be written, trying again: {}", e.getMessage());
        } catch (RuntimeException e) {
            log.error("The controller could not decide on the placement", e);
        }
    }

    /** Writes the placement that should be, if this host is elected and it is not there yet. By one thread. */
    public void decide() {
        if (!election.isElected()) {
            wasElected = false;
            return;
        }
        if (!wasElected) {
            wasElected = true;
            rules = new PlacementRules(config);
        }
        PlacementRecord.Versioned current = record.current();
        Map<String, HostInfo> alive = hosts.alive();
        Placement next = rules.next(current.placement(), alive, clock.nanoTime());
        if (!next.equals(current.placement()) && record.replace(current.version(), next)) {
            log.info("Placement {}: {}", current.version() + 1, next.hosts());
        }
    }

    /** Lets another host be the controller. */
    @Override
    public void close() {
        thread.shutdownNow();
        election.withdraw();
    }
}
