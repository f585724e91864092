package io.talosgateway.rest.coordination.zookeeper;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.rest.coordination.SessionLease;
import io.talosgateway.rest.coordination.SessionLease.Moment;
import io.talosgateway.scheduler.NanoClock;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease of the host that is registered: every sixth of the session timeout it sends a {@code sync}. The leader of
 * the ensemble answers a {@code sync} after everything that it decided before, such as the end of the session. Pings and
 * reads would prove nothing: a follower answers them itself, also while it is cut off from the leader. Has a thread of its
 * own.
 */
final class LeaseRenewal implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LeaseRenewal.class);
    private static final int RENEWALS_PER_TIMEOUT = 6;
    private static final String SESSION_ENDED = "the ZooKeeper session in which this host was registered has ended";

    private final String path;
    private final NanoClock clock;
    private final InstantSource wallClock;
    private final ScheduledThreadPoolExecutor thread;
    private @Nullable Renewed current;

    /** @param path of any node */
    LeaseRenewal(String path, NanoClock clock, InstantSource wallClock) {
        this.path = path;
        this.clock = clock;
        this.wallClock = wallClock;
        this.thread = new ScheduledThreadPoolExecutor(1, task -> {
            Thread renewing = new Thread(task, "zookeeper-lease");
            renewing.setDaemon(true);
            return renewing;
        });
    }

    /** What a confirmation that is asked for now counts from. */
    Moment now() {
        return Moment.now(clock, wallClock);
    }

    /**
     * Begins the lease of a session; the one before ends.
     *
     * @param zooKeeper a handle, which has one session for its whole life
     * @param session the session in which the host was registered
     * @param asked before the host was registered, which the leader has confirmed
     */
    synchronized SessionLease begin(ZooKeeper zooKeeper, long session, Moment asked) {
        end("this host has registered again");
        SessionLease lease = new SessionLease(Duration.ofMillis(zooKeeper.getSessionTimeout()), clock, wallClock);
        if (zooKeeper.getSessionId() != session) {
            lease.end(SESSION_ENDED);
            return lease;
        }
        lease.confirmed(asked);
        Renewed renewed = new Renewed(zooKeeper, lease);
        current = renewed;
        again(renewed, 0);
        return lease;
    }

    private void again(Renewed renewed, long delayMs) {
        try {
            thread.schedule(renewed, delayMs, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            log.debug("The connection to ZooKeeper is closed", e);
        }
    }

    /** The session has ended, as far as the client of ZooKeeper knows. */
    void sessionEnded() {
        end(SESSION_ENDED);
    }

    /** Ends the lease, if there is one. */
    synchronized void end(String reason) {
        Renewed ending = current;
        current = null;
        if (ending != null) {
            ending.lease.end(reason);
        }
    }

    /** The work of the thread for one lease. */
    private final class Renewed implements Runnable {

        private final ZooKeeper zooKeeper;
        private final SessionLease lease;
        /** One at a time, so that they do not pile up while ZooKeeper does not answer. */
        private final AtomicBoolean asking = new AtomicBoolean();

        private boolean wasHeld = true;

        Renewed(ZooKeeper zooKeeper, SessionLease lease) {
            this.zooKeeper = zooKeeper;
            this.lease = lease;
        }

        @Override
        public void run() {
            if (lease.hasEnded()) {
                return;
            }
            report();
            if (asking.compareAndSet(false, true)) {
                Moment asked = now();
                zooKeeper.sync(path, (code, ignored, context) -> answered(code, asked), null);
            }
            again(this, zooKeeper.getSessionTimeout() / RENEWALS_PER_TIMEOUT);
        }

        /** On ZooKeeper's thread. */
        private void answered(int code, Moment asked) {
            asking.set(false);
            switch (KeeperException.Code.get(code)) {
                case OK -> lease.confirmed(asked);
                case SESSIONEXPIRED -> lease.end(SESSION_ENDED);
                default -> log.debug("The lease is not renewed: {}", KeeperException.Code.get(code));
            }
        }

        private void report() {
            boolean held = lease.isHeld();
            if (held != wasHeld) {
                wasHeld = held;
                if (held) {
                    log.info("ZooKeeper confirms the session again: this host tells again where its partitions end");
                } else {
                    log.warn(
                            "This host does not tell any more where its partitions end, because {}",
                            lease.whyNotHeld());
                }
            }
        }
    }

    @Override
    public void close() {
        end("this host stops");
        thread.shutdownNow();
    }
}
