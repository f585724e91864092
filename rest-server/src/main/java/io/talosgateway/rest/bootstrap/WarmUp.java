package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.bootstrap.rehearsal.RehearsalClient;
import io.talosgateway.rest.http.tls.TlsConfig;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the JVM compile the code of a gateway before clients come. A second gateway in this process, the rehearsal, gets puts and gets for
 * a while: all of its code is real, and all else is its own, such as ports on loopback, folders, ZooKeeper, metrics. So nothing that
 * users see changes. What it logs is left out; its threads are in a group of their own.
 */
final class WarmUp {

    /** The threads of the rehearsal. */
    static final String GROUP = "warm-up";

    private static final Logger log = LoggerFactory.getLogger(WarmUp.class);

    private static final String FOLDER = "warm-up";
    /** Beside the load: for starting and closing the rehearsal. */
    private static final Duration MOST_BESIDES = Duration.ofSeconds(5);

    private static final long POLL_MS = 10;
    private static final int CLIENTS = 4;

    private final GatewayConfig config;
    private final Path folder;
    /** In the storage of the gateway. */
    private final String storageFolder;

    private final Duration time;
    private final NanoClock clock;
    private final BooleanSupplier serving;
    private volatile @Nullable Thread thread;
    private volatile Deadline latest = Deadline.NONE;
    private volatile boolean over;
    private volatile boolean closed;

    /**
     * @param config of the gateway: there is a folder in its data directory, and in its storage if that is HDFS; both are gone at the end
     * @param time for how long there is load; zero for not at all
     * @param serving whether partitions are here: before, taking them over is more urgent
     */
    WarmUp(GatewayConfig config, Duration time, BooleanSupplier serving, NanoClock clock) {
        this.config = config;
        this.folder = config.dataDirectory().resolve(FOLDER);
        this.storageFolder = FOLDER + "-" + config.hosting().hostName();
        this.time = time;
        this.clock = clock;
        this.serving = serving;
        over = time.isZero();
    }

    /** @param storage of the gateway */
    void start(JournalStorage storage) {
        Thread started = new Thread(new ThreadGroup(GROUP), () -> run(storage), GROUP);
        started.setDaemon(true);
        started.start();
        thread = started;
    }

    /** Whether the gateway may be ready. It becomes true in time whatever hinders the rehearsal. */
    boolean isOver() {
        return over || latest.hasPassed(clock.nanoTime());
    }

    /** Ends it; returns when nothing is left of it. */
    void close() throws InterruptedException {
        // Not by an interrupt: it would keep the rehearsal from stopping its threads.
        closed = true;
        Thread started = thread;
        if (started != null) {
            started.join(MOST_BESIDES.toMillis());
        }
    }

    private void run(JournalStorage storage) {
        try {
            if (time.isZero()) {
                delete(storage);
                return;
            }
            while (!serving.getAsBoolean()) {
                if (closed) {
                    return;
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            long beganAtNanos = clock.nanoTime();
            // Before the storage is asked for anything.
            latest = Deadline.after(clock, time.plus(MOST_BESIDES));
            delete(storage);
            rehearse(storage);
            log.info("Warmed up in {} ms", (clock.nanoTime() - beganAtNanos) / 1_000_000);
        } catch (IOException | RuntimeException e) {
            log.info("The gateway works, but is not warmed up: its first requests take longer ({})", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            over = true;
        }
    }

    private void rehearse(JournalStorage storage) throws IOException, InterruptedException {
        RehearsalSilence silence = RehearsalSilence.begin();
        try {
            AccessKey key = KeyFile.create(folder.resolve("keys.json"), "root", true, InstantSource.system());
            try (Gateway rehearsal = Gateway.start(rehearsalConfig())) {
                while (!rehearsal.isReady()) {
                    if (closed || isOver()) {
                        return;
                    }
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
                load(rehearsal, key);
            }
        } finally {
            silence.end();
            delete(storage);
        }
    }

    /** The storage and the TLS of the gateway, as their code is what has to be compiled; for all else what costs least. */
    private GatewayConfig rehearsalConfig() {
        GatewayConfig own = GatewayConfig.of(Map.of(
                "data.directory", folder.toString(),
                "http.port", "0",
                "ops.port", "0",
                "journal.min-free-size", "0",
                "shutdown.drain-timeout", "1s"));
        StorageConfig storage = config.storage();
        TlsConfig tls = config.tls();
        return own.with(
                storage.isLocal() ? own.storage() : storage.inFolder(storageFolder),
                tls == null ? null : tls.elsewhere(0));
    }

    private void load(Gateway rehearsal, AccessKey key) throws IOException, InterruptedException {
        List<String> endpoints = endpoints(rehearsal);
        List<RehearsalClient> clients = IntStream.range(0, CLIENTS)
                .mapToObj(number -> new RehearsalClient(number, endpoints.get(number % endpoints.size()), key))
                .toList();
        clients.get(0).createTopic();
        Deadline end = Deadline.after(clock, time);
        List<Thread> threads = clients.stream()
                .map(client -> new Thread(() -> client.putAndGet(() -> mayGoOn(end)), GROUP))
                .toList();
        threads.forEach(Thread::start);
        for (Thread one : threads) {
            one.join();
        }
    }

    private static List<String> endpoints(Gateway rehearsal) {
        String plain = "http://127.0.0.1:" + rehearsal.port();
        return rehearsal.tlsPort() < 0 ? List.of(plain) : List.of(plain, "https://127.0.0.1:" + rehearsal.tlsPort());
    }

    private boolean mayGoOn(Deadline end) {
        return !closed && !end.hasPassed(clock.nanoTime());
    }

    /** Also what a gateway left that was killed. */
    private void delete(JournalStorage storage) throws IOException {
        storage.delete(storageFolder);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            log.trace("There is no {}", folder);
        }
    }

    /** Null if the thread is not one of a rehearsal. */
    static @Nullable ThreadGroup groupOf(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        while (group != null && !group.getName().equals(GROUP)) {
            group = group.getParent();
        }
        return group;
    }
}
