package io.talosgateway.doctor;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.UUID;

import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.JournalStorage.Replication;
import io.talosgateway.rest.journal.hdfs.HdfsProbe;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.NanoClock;

/** HDFS: its NameNode and DataNodes, and everything that the gateway does with files, on a small one. */
final class HdfsCheck implements DoctorCheck {

    private static final double SLOW_MS = 100;
    private static final int SYNCS = 5;
    private static final long MIB = 1 << 20;
    private static final byte[] CONTENT = "talos-gateway doctor\n".getBytes(StandardCharsets.US_ASCII);

    private final GatewayConfig config;
    private final NanoClock clock;
    private final InstantSource wallClock;

    HdfsCheck(GatewayConfig config, NanoClock clock, InstantSource wallClock) {
        this.config = config;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    @Override
    public String name() {
        return "HDFS";
    }

    @Override
    public void run(Findings findings) throws IOException {
        if (config.storage().isLocal()) {
            findings.ok("Messages are on a disk of this host (%s)."
                    .formatted(config.storage().root()));
            return;
        }
        try (HdfsProbe hdfs = HdfsProbe.open(config.storage())) {
            findings.ok("The NameNode of %s answers, and is not in safe mode%s."
                    .formatted(
                            config.storage().root(),
                            config.storage().kerberos() == null
                                    ? ""
                                    : "; the keytab logs in as "
                                            + config.storage().kerberos().principal()));
            lookAtDataNodes(
                    hdfs.liveDataNodes(),
                    hdfs.wantedReplicas(),
                    config.hosting().journal().minReplicas(),
                    findings);
            String name = "doctor-" + UUID.randomUUID() + ".tmp";
            try {
                tryFile(hdfs, name, findings);
            } finally {
                delete(hdfs.storage(), name, findings);
            }
            lookAtSpace(hdfs.storage().usableBytes(), findings);
        }
    }

    /** Also for a check that was interrupted, as it took too long. */
    private static void delete(JournalStorage storage, String name, Findings findings) {
        boolean interrupted = Thread.interrupted();
        try {
            storage.delete(name);
        } catch (IOException e) {
            findings.warn(
                    "The file %s/%s could not be deleted (%s). Gateways ignore it."
                            .formatted(storage.location(), name, e.getMessage()),
                    "hdfs dfs -rm -f %s/%s".formatted(storage.location(), name));
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** @param live -1 if only the superuser is told */
    static void lookAtDataNodes(int live, int wanted, int least, Findings findings) {
        if (live >= 0 && live < Math.max(wanted, least)) {
            findings.fail(
                    "%d DataNodes are alive, but files have %d copies (hadoop.dfs.replication)."
                            .formatted(live, wanted),
                    "Start DataNodes (hdfs dfsadmin -report names those that are dead), or lower hadoop.dfs.replication.");
        } else if (live >= 0) {
            findings.ok("%d DataNodes are alive; files have %d copies.".formatted(live, wanted));
        }
        if (least > wanted) {
            findings.fail(
                    "journal.min-replicas is %d, but files have %d copies (hadoop.dfs.replication): all puts are refused."
                            .formatted(least, wanted),
                    "Lower journal.min-replicas, or raise hadoop.dfs.replication.");
        }
        if (wanted < 2) {
            findings.warn(
                    "Files have one copy (hadoop.dfs.replication=1): the loss of one disk loses messages.",
                    "Set hadoop.dfs.replication=3 at all hosts, with three DataNodes or more.");
        }
    }

    private void tryFile(HdfsProbe hdfs, String name, Findings findings) throws IOException {
        JournalStorage storage = hdfs.storage();
        long before = wallClock.millis();
        AppendFile file = storage.create(name, 0);
        try {
            long createdAt = hdfs.modifiedAtMs(name);
            long after = wallClock.millis();
            double syncMs = write(file);
            lookAtReplication(file.replication(), config.hosting().journal().minReplicas(), findings);
            read(storage, name);
            lookAtSync(syncMs, findings);
            ClockOffset.of(before, createdAt, 1, after).tell("the clock of the NameNode", findings);
            // As a host that takes over the files of another one.
            long beganNanos = clock.nanoTime();
            storage.fence(name);
            findings.ok("The lease of a file that is being written was taken away within %.1f s."
                    .formatted((clock.nanoTime() - beganNanos) / 1e9));
        } finally {
            closeFenced(file);
        }
    }

    private double write(AppendFile file) throws IOException {
        long[] nanos = new long[SYNCS];
        for (int sync = 0; sync < SYNCS; sync++) {
            file.write(CONTENT, 0, CONTENT.length);
            long before = clock.nanoTime();
            file.sync(Durability.DISK);
            nanos[sync] = clock.nanoTime() - before;
        }
        Arrays.sort(nanos);
        return nanos[SYNCS / 2] / 1e6;
    }

    private static void read(JournalStorage storage, String name) throws IOException {
        byte[] bytes = new byte[CONTENT.length];
        try (ReadFile read = storage.open(name)) {
            if (read.read(0, bytes, 0, bytes.length) != bytes.length || !Arrays.equals(bytes, CONTENT)) {
                throw new IOException("HDFS gave back something else than what was written to " + name
                        + ". Look into the logs of the DataNodes, and run hdfs fsck.");
            }
        }
    }

    private static void lookAtReplication(Replication replication, int least, Findings findings) {
        if (replication.live() >= replication.wanted()) {
            findings.ok("A file was written, forced and read; it has %d copies.".formatted(replication.live()));
        } else {
            String text =
                    "What was written has %d copies instead of %d.".formatted(replication.live(), replication.wanted());
            String advice =
                    "Too few DataNodes are alive, have room, or are reached from this host: hdfs dfsadmin -report.";
            if (replication.live() < least) {
                findings.fail(text + " Puts are refused below %d (journal.min-replicas).".formatted(least), advice);
            } else {
                findings.warn(text, advice);
            }
        }
    }

    private static void lookAtSync(double ms, Findings findings) {
        if (ms > SLOW_MS) {
            findings.warn(
                    "A sync takes %.1f ms (median of %d). Each put waits for one.".formatted(ms, SYNCS),
                    "Look at the disks of the DataNodes (iostat -x) and at the network; journal.durability=memory does not wait for disks.");
        } else {
            findings.ok("A sync takes %.1f ms (median of %d).".formatted(ms, SYNCS));
        }
    }

    private static void closeFenced(AppendFile file) {
        try {
            file.close();
        } catch (IOException e) {
            // Its lease was taken away: HDFS refuses to close it, and it is deleted next.
            return;
        }
    }

    private void lookAtSpace(OptionalLong usable, Findings findings) {
        if (usable.isEmpty()) {
            return;
        }
        long least = config.hosting().journal().minFreeSize().toBytes();
        String text =
                "HDFS has room for %d MiB of messages, with all their copies.".formatted(usable.getAsLong() / MIB);
        if (usable.getAsLong() < least) {
            findings.fail(
                    text + " Below %d MiB (journal.min-free-size) puts are refused.".formatted(least / MIB),
                    "Make room, add DataNodes, or lower the retention of topics.");
        } else {
            findings.ok(text);
        }
    }
}
