package io.talosgateway.doctor;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.scheduler.NanoClock;

/** Runs checks one after the other, each for a limited time. For one thread. */
public final class Doctor {

    /** How long a check that is given up may take to clean up. */
    private static final long CLEAN_UP_MS = 2_000;

    private final List<DoctorCheck> checks;
    private final Duration limit;
    private final Duration patience;

    /** Hears how it goes. */
    public interface Listener {

        /** A check takes a while. */
        void stillRunning(String check);

        /** A check has ended. */
        void found(String check, List<Finding> findings);
    }

    /**
     * @param limit for each check
     * @param patience after which the listener hears that a check takes a while
     */
    Doctor(List<DoctorCheck> checks, Duration limit, Duration patience) {
        this.checks = List.copyOf(checks);
        this.limit = limit;
        this.patience = patience;
    }

    /**
     * All checks of a gateway.
     *
     * @param values the settings, by key
     * @param files the configuration file, if there is one
     * @param limit for each check
     */
    public static Doctor of(
            GatewayConfig config,
            Map<String, String> values,
            List<Path> files,
            Duration limit,
            NanoClock clock,
            InstantSource wallClock) {
        FoundCluster cluster = new FoundCluster();
        return new Doctor(
                List.of(
                        new ConfigurationCheck(config, values, files),
                        new CertificatesCheck(config, wallClock),
                        new DisksCheck(config, clock),
                        new ZooKeeperCheck(config, cluster, clock, wallClock),
                        new HdfsCheck(config, clock, wallClock),
                        new PortsCheck(config, cluster),
                        new PeersCheck(config, cluster, clock, wallClock)),
                limit,
                Duration.ofSeconds(2));
    }

    /** @return the worst that was found */
    public Finding.Level run(Listener listener) throws InterruptedException {
        Finding.Level worst = Finding.Level.OK;
        for (DoctorCheck check : checks) {
            List<Finding> findings = run(check, listener);
            listener.found(check.name(), findings);
            for (Finding finding : findings) {
                worst = worst.compareTo(finding.level()) < 0 ? finding.level() : worst;
            }
        }
        return worst;
    }

    private List<Finding> run(DoctorCheck check, Listener listener) throws InterruptedException {
        Findings findings = new Findings();
        FutureTask<Void> task = new FutureTask<>(() -> {
            check.run(findings);
            return null;
        });
        Thread thread = new Thread(task, "check-" + check.name());
        thread.setDaemon(true);
        thread.start();
        try {
            await(task, check, listener);
        } catch (TimeoutException e) {
            findings.fail(
                    "This was not done within %d s, and given up.".formatted(limit.toSeconds()),
                    "Look whether what it asks answers at all; --timeout gives it more time.");
            thread.interrupt();
            thread.join(CLEAN_UP_MS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException expected) {
                findings.fail(expected);
            } else {
                findings.fail(
                        "The check itself failed: " + e.getCause(),
                        "Please report this; the other checks are not affected.");
            }
        }
        return findings.close();
    }

    private void await(FutureTask<Void> task, DoctorCheck check, Listener listener)
            throws InterruptedException, ExecutionException, TimeoutException {
        long firstMs = Math.min(patience.toMillis(), limit.toMillis());
        try {
            task.get(firstMs, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            listener.stillRunning(check.name());
            task.get(limit.toMillis() - firstMs, TimeUnit.MILLISECONDS);
        }
    }
}
