package io.talosgateway.rest.coordination.zookeeper;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Properties;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.talosgateway.rest.config.PrivateFiles;
import org.apache.zookeeper.server.PurgeTxnLog;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.apache.zookeeper.server.persistence.FileSnap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper server inside this process, on a loopback port of the system's choosing. A secret beside its data keeps
 * other users of the machine out.
 */
final class EmbeddedZooKeeper implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedZooKeeper.class);

    private static final long START_TIMEOUT_MS = 30_000;
    private static final int SECRET_BYTES = 16;
    private static final long PURGE_INTERVAL_HOURS = 1;
    private static final int SNAPSHOTS_KEPT = 3;
    private static final String DATA = "data";
    /** Where its log and its snapshots are. */
    private static final String FILES = DATA + "/version-2";

    private final ZooKeeperServerEmbedded server;
    private final String connect;
    private final String auth;
    /** Deletes old snapshots and logs. The server's own goes on when it is closed, and makes its directory anew. */
    private final ScheduledExecutorService purge = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "zookeeper-purge");
        thread.setDaemon(true);
        return thread;
    });

    private EmbeddedZooKeeper(ZooKeeperServerEmbedded server, String connect, String auth) {
        this.server = server;
        this.connect = connect;
        this.auth = auth;
    }

    static EmbeddedZooKeeper start(Path directory) throws IOException {
        System.setProperty("zookeeper.admin.enableServer", "false");
        PrivateFiles.createDirectories(directory);
        deleteOldConfigurations(directory);
        Properties properties = new Properties();
        properties.setProperty("dataDir", directory.resolve(DATA).toString());
        properties.setProperty("clientPort", "0");
        properties.setProperty("clientPortAddress", "127.0.0.1");
        properties.setProperty("tickTime", "1000");
        properties.setProperty("minSessionTimeout", "1000");
        properties.setProperty("maxSessionTimeout", "120000");
        properties.setProperty("4lw.commands.whitelist", "srvr");
        properties.setProperty("snapshot.trust.empty", String.valueOf(logIsWhole(directory)));
        try {
            ZooKeeperServerEmbedded server = ZooKeeperServerEmbedded.builder()
                    .baseDir(directory)
                    .configuration(properties)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            server.start(START_TIMEOUT_MS);
            String auth = "gateway:" + secret(directory);
            forceFiles(directory);
            EmbeddedZooKeeper started = new EmbeddedZooKeeper(server, server.getConnectionString(), auth);
            started.startPurge(directory.resolve(DATA).toFile());
            return started;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while starting the embedded ZooKeeper", e);
        } catch (IOException e) {
            throw e;
        } catch (TimeoutException e) {
            throw new IOException(
                    ("The embedded ZooKeeper in %s did not start within %d s; the log of the gateway says why. If its files are "
                                    + "damaged, restore them from a backup.")
                            .formatted(directory, START_TIMEOUT_MS / 1000),
                    e);
        } catch (Exception e) {
            throw new IOException("The embedded ZooKeeper in " + directory + " does not start: " + e.getMessage(), e);
        }
    }

    /**
     * Whether the log begins with the first change: then the server may start without a snapshot.
     *
     * @throws IOException if the log begins later and there is no snapshot: changes are lost
     */
    private static boolean logIsWhole(Path directory) throws IOException {
        Path files = directory.resolve(FILES);
        if (Files.exists(files.resolve("log.1")) || !Files.isDirectory(files)) {
            return true;
        }
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(files, "log.*")) {
            if (logs.iterator().hasNext() && new FileSnap(files.toFile()).findMostRecentSnapshot() == null) {
                throw new IOException(
                        ("The embedded ZooKeeper in %s has lost its snapshots, and its log does not begin with the first change: "
                                        + "topics would be missing. Restore %s from a backup.")
                                .formatted(directory, files));
            }
        }
        return false;
    }

    /**
     * Forces the snapshot that the server has written at its start, and the names of all files. The server forces its log only, and
     * does not start by a log alone. No client can have changed anything before.
     */
    private static void forceFiles(Path directory) throws IOException {
        Path files = directory.resolve(FILES);
        try (DirectoryStream<Path> snapshots = Files.newDirectoryStream(files, "snapshot.*")) {
            for (Path snapshot : snapshots) {
                try {
                    force(snapshot);
                } catch (NoSuchFileException e) {
                    // An old one: the server deletes them at the same time.
                    log.debug("{} was deleted", snapshot);
                }
            }
        }
        force(files);
        force(directory.resolve(DATA));
        force(directory);
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null && Files.isReadable(parent)) {
            force(parent);
        }
    }

    private static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The server leaves one behind at each start. */
    private static void deleteOldConfigurations(Path directory) throws IOException {
        try (DirectoryStream<Path> old = Files.newDirectoryStream(directory, "zookeeper.configuration*.properties")) {
            for (Path file : old) {
                Files.delete(file);
            }
        }
    }

    private static String secret(Path directory) throws IOException {
        return PrivateFiles.secret(directory.resolve("secret"), SECRET_BYTES);
    }

    private void startPurge(File data) {
        Runnable task = () -> {
            try {
                PurgeTxnLog.purge(data, data, SNAPSHOTS_KEPT);
            } catch (IOException | RuntimeException e) {
                log.warn("Old files of the embedded ZooKeeper in {} cannot be deleted: {}", data, e.toString());
            }
        };
        purge.scheduleWithFixedDelay(task, 0, PURGE_INTERVAL_HOURS, TimeUnit.HOURS);
    }

    String connect() {
        return connect;
    }

    String auth() {
        return auth;
    }

    @Override
    public void close() {
        purge.shutdownNow();
        server.close();
    }
}
