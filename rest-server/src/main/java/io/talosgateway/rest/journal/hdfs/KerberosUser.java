package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import javax.security.auth.Subject;
import javax.security.auth.kerberos.KerberosTicket;

import io.talosgateway.rest.journal.hdfs.StorageErrors.StorageCall;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The user that a file system belongs to, logged in from a keytab. Keeps a valid ticket while it is open: a thread of its own
 * renews it, because Hadoop renews only the one login user of a process, and takes its ticket away before it asks for another
 * (docs/decisions/0038-kerberos.md).
 */
final class KerberosUser implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(KerberosUser.class);
    private static final long WARNING_PAUSE_MS = 60_000;

    private final KeytabLogin login;
    private final InstantSource clock;
    private final Subject subject = new Subject();
    private final UserGroupInformation user;
    private final ScheduledExecutorService renewal = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "kerberos-renewal");
        thread.setDaemon(true);
        return thread;
    });

    private volatile TicketLife life;
    // Of the renewal thread.
    private boolean failing;
    private long warnedMs;

    private KerberosUser(KeytabLogin login, InstantSource clock) throws IOException {
        this.login = login;
        this.clock = clock;
        KerberosTicket ticket = login.login();
        life = TicketLife.of(ticket);
        subject.getPrincipals().add(login.principal());
        use(ticket);
        user = UserGroupInformation.getUGIFromSubject(subject);
    }

    /**
     * Logs in, and begins to renew.
     *
     * @param hadoop with {@code hadoop.security.authentication=kerberos}; the rest of this process gets it as well, as Hadoop knows
     *     one way to authenticate for each process
     * @throws KerberosException if that fails
     */
    static KerberosUser login(KerberosConfig config, Configuration hadoop, InstantSource clock) throws IOException {
        UserGroupInformation.setConfiguration(hadoop);
        KerberosUser user = new KerberosUser(KeytabLogin.of(config), clock);
        log.info("Logged in to Kerberos as {}, until {}", user.login.principal(), user.end());
        user.renewLater();
        return user;
    }

    /** Does something as this user. */
    <T> T call(StorageCall<T> call) throws IOException {
        try {
            return user.doAs((PrivilegedExceptionAction<T>) call::call);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    private void renewLater() {
        renewal.schedule(this::renewIfDue, life.pollMs(), TimeUnit.MILLISECONDS);
    }

    private void renewIfDue() {
        try {
            if (life.isDue(clock.millis())) {
                renew();
            }
        } catch (RuntimeException e) {
            log.error("Renewing the Kerberos ticket of {} failed unexpectedly", login.principal(), e);
        } finally {
            if (!renewal.isShutdown()) {
                renewLater();
            }
        }
    }

    private void renew() {
        try {
            KerberosTicket ticket = login.login();
            life = TicketLife.of(ticket);
            use(ticket);
            failing = false;
            log.info("Renewed the Kerberos ticket of {}, until {}", login.principal(), end());
        } catch (KerberosException e) {
            long now = clock.millis();
            if (!failing || now - warnedMs >= WARNING_PAUSE_MS || now < warnedMs) {
                failing = true;
                warnedMs = now;
                log.warn(
                        "The Kerberos ticket for HDFS cannot be renewed{}: {} It is tried again every {} s.",
                        life.isOver(now)
                                ? ", and ended at " + end() + ", so that HDFS refuses connections"
                                : "; the old one is valid until " + end(),
                        e.getMessage(),
                        Math.max(1, life.pollMs() / 1000));
            }
        }
    }

    /** Until when the ticket is valid. */
    Instant end() {
        return Instant.ofEpochMilli(life.untilMs());
    }

    /** Threads that connect at this moment find the old ticket or the new one. */
    private void use(KerberosTicket ticket) {
        Set<Object> credentials = subject.getPrivateCredentials();
        // The lock under which the JDK looks for tickets.
        synchronized (credentials) {
            // With those for services, which end with the one they were got by. None is destroyed: it may be in use.
            credentials.removeIf(KerberosTicket.class::isInstance);
            credentials.add(ticket);
        }
    }

    /** Ends the renewal. One that is under way may still wait for the KDC. */
    @Override
    public void close() {
        renewal.shutdownNow();
    }
}
