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
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the JVM compile the code of a gateway before clients come. A second gateway in this process, the rehearsal, gets puts and gets for
 * a while: all of its code is real, and all else is its own, such as ports on loopback, folder, ZooKeeper, metrics. So nothing that
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

    private final Path folder;
    private final Duration time;
    private final NanoClock clock;
    private final BooleanSupplier serving;
    private final Thread thread;
    private volatile Deadline latest = Deadline.NONE;
    private volatile boolean over;
    private volatile boolean closed;

    /**
     * @param data where it makes a folder, which is gone at the end
     * @param time for how long there is load; zero for not at all
     * @param serving whether partitions are here: before, taking them over is more urgent
     */
    WarmUp(Path data, Duration time, BooleanSupplier serving, NanoClock clock) {
        this.folder = data.resolve(FOLDER);
        this.time = time;
        this.clock = clock;
        this.serving = serving;
        over = time.isZero();
        thread = new Thread(new ThreadGroup(GROUP), this::run, GROUP);
        thread.setDaemon(true);
    }

    /** Starts it. */
    void start() {
        thread.start();
    }

    /** Whether the gateway may be ready. It becomes true in time whatever hinders the rehearsal. */
    boolean isOver() {
        return over || latest.hasPassed(clock.nanoTime());
    }

    /** Ends it; returns when nothing is left of it. */
    void close() throws InterruptedException {
        // Not by an interrupt: it would keep the rehearsal from stopping its threads.
        closed = true;
        thread.join(MOST_BESIDES.toMillis());
    }

    private void run() {
        try {
            delete();
            if (!time.isZero()) {
                while (!serving.getAsBoolean()) {
                    if (closed) {
                        return;
                    }
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
                long beganAtNanos = clock.nanoTime();
                latest = Deadline.after(clock, time.plus(MOST_BESIDES));
                rehearse();
                log.info("Warmed up in {} ms", (clock.nanoTime() - beganAtNanos) / 1_000_000);
            }
        } catch (IOException | RuntimeException e) {
            log.info("The gateway works, but is not warmed up: its first requests take longer ({})", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            over = true;
        }
    }

    private void rehearse() throws IOException, InterruptedException {
        RehearsalSilence silence = RehearsalSilence.begin();
        try {
            AccessKey key = KeyFile.create(folder.resolve("keys.json"), "root", true, InstantSource.system());
            try (Gateway rehearsal = Gateway.start(GatewayConfig.of(settings(folder)))) {
                while (!rehearsal.isReady()) {
                    if (closed || isOver()) {
                        return;
                    }
                    TimeUnit.MILLISECONDS.sleep(POLL_MS);
                }
                load(new RehearsalClient(rehearsal.port(), key));
            }
        } finally {
            silence.end();
            delete();
        }
    }

    private static Map<String, String> settings(Path folder) {
        return Map.of(
                "data.directory", folder.toString(),
                "http.port", "0",
                "ops.port", "0",
                "journal.min-free-size", "0",
                "shutdown.drain-timeout", "1s");
    }

    private void load(RehearsalClient client) throws IOException, InterruptedException {
        client.createTopic();
        Deadline end = Deadline.after(clock, time);
        List<Thread> clients = IntStream.range(0, CLIENTS)
                .mapToObj(number -> new Thread(() -> client.putAndGet(number, () -> mayGoOn(end)), GROUP))
                .toList();
        clients.forEach(Thread::start);
        for (Thread one : clients) {
            one.join();
        }
    }

    private boolean mayGoOn(Deadline end) {
        return !closed && !end.hasPassed(clock.nanoTime());
    }

    /** Also what a gateway left that was killed. */
    private void delete() throws IOException {
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
