package io.talosgateway.doctor;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.bootstrap.LogConfig;
import io.talosgateway.rest.config.PrivateFiles;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/** The directories of this host: whether they can be written, have room, and force to a disk in a short time. */
final class DisksCheck implements DoctorCheck {

    private static final int SYNCS = 5;
    private static final int SYNC_BYTES = 4_096;
    private static final double SLOW_MS = 20;
    private static final long MIB = 1 << 20;
    private static final Set<String> IN_MEMORY = Set.of("tmpfs", "ramfs");

    private final GatewayConfig config;
    private final NanoClock clock;

    DisksCheck(GatewayConfig config, NanoClock clock) {
        this.config = config;
        this.clock = clock;
    }

    @Override
    public String name() {
        return "disks";
    }

    @Override
    public void run(Findings findings) {
        directories().forEach((what, directory) -> {
            try {
                lookAt(what, directory, findings);
            } catch (IOException e) {
                findings.fail(
                        "%s %s cannot be written (%s).".formatted(what, directory, e),
                        "Create it, and give it to the gateway's user: install -d -m 700 -o USER " + directory);
            }
        });
    }

    private Map<String, Path> directories() {
        Map<String, Path> directories = new LinkedHashMap<>();
        directories.put("The data directory", config.dataDirectory());
        if (config.storage().isLocal()) {
            directories.put("The storage", Path.of(config.storage().root()));
        }
        LogConfig logs = config.logs();
        putParent("The directory of the audit log", logs.auditFile(), directories);
        putParent(
                "The directory of the access log",
                logs.access() == null ? null : logs.access().file(),
                directories);
        return directories;
    }

    private static void putParent(String what, @Nullable Path file, Map<String, Path> directories) {
        if (file != null && file.getParent() != null) {
            directories.put(what, file.getParent());
        }
    }

    private void lookAt(String what, Path directory, Findings findings) throws IOException {
        Path existing = directory;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        if (Files.isDirectory(directory) && PrivateFiles.isOpenToOthers(directory)) {
            findings.warn(
                    "Everybody on this machine can look into %s, where keys or messages are.".formatted(directory),
                    "chmod 700 " + directory);
        }
        double syncMs = syncMs(existing);
        if (syncMs > SLOW_MS) {
            findings.warn(
                    "%s %s forces %d bytes in %.1f ms (median of %d). Each put waits for that."
                            .formatted(what, directory, SYNC_BYTES, syncMs, SYNCS),
                    "Use a local SSD, and nothing else that writes to it; look at iostat -x.");
        } else {
            findings.ok("%s %s can be written, and forces %d bytes in %.1f ms (median of %d)."
                    .formatted(what, directory, SYNC_BYTES, syncMs, SYNCS));
        }
        boolean messages = config.storage().isLocal() || config.isAlone();
        FileStore store = Files.getFileStore(existing);
        lookAtStore(directory, store.type(), store.getUsableSpace(), messages, findings);
    }

    /** @param messages whether messages or topics are lost with what is there */
    void lookAtStore(Path directory, String type, long usable, boolean messages, Findings findings) {
        JournalConfig journal = config.hosting().journal();
        if (messages && IN_MEMORY.contains(type) && journal.durability() == Durability.DISK) {
            findings.fail(
                    "%s is in memory (%s), but journal.durability is disk: a restart of the machine loses messages."
                            .formatted(directory, type),
                    "Name a directory on a disk in data.directory and storage.root; for tests, journal.durability=memory is honest.");
        }
        long least = journal.minFreeSize().toBytes();
        // One that is written, and the next one, for each lane.
        long comfortable = least + 2L * journal.lanes() * journal.fileSize().toBytes();
        if (usable < least) {
            findings.fail(
                    "%s has %d MiB left. Below %d MiB (journal.min-free-size) puts are refused."
                            .formatted(directory, usable / MIB, least / MIB),
                    "Make room, use a larger disk, or lower the retention of topics.");
        } else if (usable < comfortable) {
            findings.warn(
                    "%s has %d MiB left, which the open files of %d lanes may fill."
                            .formatted(directory, usable / MIB, journal.lanes()),
                    "Make room for %d MiB at least, or lower the retention of topics.".formatted(comfortable / MIB));
        } else {
            findings.ok("%s has %d MiB left (%s).".formatted(directory, usable / MIB, type));
        }
    }

    private double syncMs(Path directory) throws IOException {
        Path file = directory.resolve("doctor-" + UUID.randomUUID() + ".tmp");
        long[] nanos = new long[SYNCS];
        try (FileChannel channel = PrivateFiles.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int sync = 0; sync < SYNCS; sync++) {
                channel.write(ByteBuffer.allocate(SYNC_BYTES));
                long before = clock.nanoTime();
                channel.force(true);
                nanos[sync] = clock.nanoTime() - before;
            }
        } finally {
            Files.deleteIfExists(file);
        }
        Arrays.sort(nanos);
        return nanos[SYNCS / 2] / 1e6;
    }
}
