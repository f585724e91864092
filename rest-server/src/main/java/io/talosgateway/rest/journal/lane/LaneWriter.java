package io.talosgateway.rest.journal.lane;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.talosgateway.rest.journal.JournalFencedException;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.file.FrameEncoder;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.file.OpenJournalFile;
import io.talosgateway.rest.journal.file.PartitionEnd;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.wire.message.MessageBlock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the groups of a lane into its files. Used by the lane's committer only, but for {@link #forget}.
 *
 * <p>A group is committed as a whole or not at all. Offsets are given here, when a put is written, so that a put that is
 * withdrawn or refused before leaves no gap. When a write or sync fails, the group's offsets are free again and the file is
 * left for good: the next file starts with a record of where every partition ends, which voids whatever the failed group
 * left behind. So the group can be written again at once, and nobody has to find out first what became of it.
 */
public final class LaneWriter {

    private static final Logger log = LoggerFactory.getLogger(LaneWriter.class);
    /** A file's index is in memory while the file is written: 4 to 8 bytes a frame. */
    private static final int MAX_FRAMES = 4_000_000;
    /** Files that failed and are not ended yet: no further one is begun while there are so many. */
    public static final int MAX_UNENDED = 8;

    private final String lane;
    private final LaneParts parts;
    private final SecureRandom tags = new SecureRandom();
    private final FrameEncoder encoder = new FrameEncoder();
    /** The partitions that this lane has written, or tried to. */
    private final Set<LanePartition> written = ConcurrentHashMap.newKeySet();
    /** Files with parts of groups that are not committed; void, but not yet for a reader that comes after a crash. */
    private final List<OpenJournalFile> abandoned = new ArrayList<>();
    /** Files that failed, until they are ended: the sealer tries it until it succeeds. */
    private final List<OpenJournalFile> unended = new ArrayList<>();

    private final ReplicaRolls replicaRolls = new ReplicaRolls();
    /** Copies that the open file should have, and has not. */
    private volatile int missingReplicas;

    private @Nullable OpenJournalFile current;
    /** The one before, until it is sealed. */
    private @Nullable OpenJournalFile full;

    private long openedAtNanos;
    private @Nullable NextFile next;
    private int nextSequence;

    LaneWriter(String lane, LaneParts parts) {
        this.lane = lane;
        this.parts = parts;
        if (parts.config().layout() == JournalLayout.SHARED_LANES) {
            parts.metrics().watchReplicas(lane, () -> missingReplicas);
        }
    }

    /**
     * Writes, syncs and shows a group: when this returns, readers see it.
     *
     * @return the durability reached
     * @throws IOException if nothing of the group is committed
     */
    public Durability commit(List<Append> group) throws IOException {
        long startedAtNanos = parts.clock().nanoTime();
        OpenJournalFile file = fileToWrite();
        Durability level = commit(file, group, startedAtNanos);
        prepareNext(file);
        rollIfReplicasAreMissing(file);
        return level;
    }

    private Durability commit(OpenJournalFile file, List<Append> group, long startedAtNanos) throws IOException {
        try {
            Durability level = Durability.MEMORY;
            long bytes = 0;
            for (Append append : group) {
                parts.metrics().waited(startedAtNanos - append.queuedAtNanos());
                write(file, append);
                bytes += append.batch().bytes();
                if (append.durability() == Durability.DISK) {
                    level = Durability.DISK;
                }
            }
            long writtenAtNanos = parts.clock().nanoTime();
            level = sync(file, level);
            parts.metrics()
                    .committed(
                            group.size(),
                            bytes,
                            writtenAtNanos - startedAtNanos,
                            parts.clock().nanoTime() - writtenAtNanos);
            for (Append append : group) {
                append.writingAtNanos = startedAtNanos;
                append.writtenAtNanos = writtenAtNanos;
                show(file, append, level);
            }
            return level;
        } catch (IOException | RuntimeException e) {
            abandon(file);
            for (Append append : group) {
                append.partition().forgetUncommitted();
            }
            throw e;
        }
    }

    /** Returns the level reached: a start record that voids what failed must be on disk before anything behind it is answered. */
    private Durability sync(OpenJournalFile file, Durability wanted) throws IOException {
        boolean first = file.committedPosition() == 0;
        Durability level = abandoned.isEmpty() ? wanted : Durability.DISK;
        if (level == Durability.DISK) {
            file.pad(encoder);
        }
        file.sync(level, parts.config().minReplicas());
        missingReplicas = file.missingReplicas();
        if (first) {
            abandoned.clear();
            parts.archive().add(file.file());
            parts.metrics().fileCreated();
            sealFull();
        }
        return level;
    }

    /** Once the first group of the next file is committed: to force that beside the rest of the full one would take as long as both. */
    private void sealFull() {
        if (full != null) {
            parts.sealer().sealLater(full);
            full = null;
        }
    }

    private void write(OpenJournalFile file, Append append) throws IOException {
        LanePartition partition = append.partition();
        written.add(partition);
        append.position = Math.toIntExact(file.position());
        partition.assign(append, parts.wallClock().millis());
        PutIdentity identity = append.identity();
        file.write(encoder.messages(
                file.file().tag(),
                partition.partition(),
                partition.epoch(),
                append.firstOffset,
                append.appendTimestampMs,
                file.diskPosition(),
                append.batch(),
                identity == null ? null : identity.key().value(),
                identity == null ? 0 : identity.digest()));
        List<MessageBlock> blocks = append.batch().blocks();
        for (int index = 0; index < blocks.size(); index++) {
            MessageBlock block = blocks.get(index);
            file.write(block.data());
            if (block.extraFields().length() > 0) {
                file.write(block.extraFields());
            }
        }
    }

    private void show(OpenJournalFile file, Append append, Durability level) {
        LanePartition partition = append.partition();
        int count = append.batch().messageCount();
        file.index()
                .add(
                        partition.partition(),
                        partition.epoch(),
                        append.position,
                        append.firstOffset,
                        count,
                        append.appendTimestampMs,
                        append.batch().bytes());
        PutIdentity identity = append.identity();
        if (identity != null) {
            file.index()
                    .addKeyed(new KeyedPut(
                            partition.partition(),
                            identity.fingerprint(),
                            identity.digest(),
                            append.firstOffset,
                            count,
                            append.appendTimestampMs));
        }
        partition.show(append, file.file(), level);
    }

    /** The open file, or a new one if there is none or it is full. */
    private OpenJournalFile fileToWrite() throws IOException {
        OpenJournalFile file = current;
        if (file != null && isFull(file)) {
            current = null;
            full = file;
            file = null;
        }
        if (file == null) {
            file = openFile();
            current = file;
            openedAtNanos = parts.clock().nanoTime();
        }
        return file;
    }

    private boolean isFull(OpenJournalFile file) {
        return file.position() >= parts.config().fileSize().toBytes()
                || file.index().frameCount() >= MAX_FRAMES;
    }

    private OpenJournalFile openFile() throws IOException {
        endFailedFiles();
        // A put that waited when its topic was deleted has brought its partition back.
        written.removeIf(LanePartition::hasLeftLane);
        Map<TopicPartition, PartitionEnd> ends = new HashMap<>();
        for (LanePartition partition : written) {
            ends.put(partition.partition(), partition.end());
        }
        OpenJournalFile prepared = next == null ? null : next.take();
        next = null;
        OpenJournalFile open = prepared == null
                ? OpenJournalFile.create(
                        parts.storage(),
                        start(nextFile(), ends),
                        tags.nextInt(),
                        parts.config().expectedFileBytes())
                : prepared.startingAgain(start(prepared.file().id(), ends));
        try {
            open.writeStart();
            // After creating, not before: see JournalRecovery for the other half.
            if (!parts.storage().exists(parts.journal().openPath())) {
                throw new JournalFencedException(parts.journal());
            }
        } catch (IOException | RuntimeException e) {
            abandon(open);
            throw e;
        }
        return open;
    }

    private JournalFileId nextFile() {
        return new JournalFileId(parts.journal(), lane, nextSequence++);
    }

    private StartRecord start(JournalFileId file, Map<TopicPartition, PartitionEnd> ends) {
        return new StartRecord(file, parts.wallClock().millis(), ends);
    }

    /** Has the next file made ready when this one is half full. Files of single partitions seldom get full. */
    private void prepareNext(OpenJournalFile file) {
        if (next == null
                && parts.config().layout() == JournalLayout.SHARED_LANES
                && file.position() >= parts.config().fileSize().toBytes() / 2) {
            next = new NextFile(parts, start(nextFile(), Map.of()), tags.nextInt());
            next.prepareLater();
        }
    }

    private void abandon(OpenJournalFile file) {
        current = null;
        missingReplicas = file.missingReplicas();
        // A footer beside a file voids the rest of it.
        abandoned.removeIf(earlier -> earlier.file().sealedIndex() != null);
        abandoned.add(file);
        unended.add(file);
        parts.sealer().settleLater(file);
    }

    /** Each attempt in a long outage leaves a file, so new ones wait until earlier ones are ended. */
    private void endFailedFiles() throws IOException {
        unended.removeIf(OpenJournalFile::isEnded);
        if (unended.size() >= MAX_UNENDED && !parts.sealer().trySettle(unended.get(0))) {
            throw new IOException(
                    "lane %s has %d files that failed and cannot be ended yet".formatted(lane, unended.size()));
        }
    }

    /** The pipeline of an open file never grows again; a new file has one of the nodes that are there now. */
    private void rollIfReplicasAreMissing(OpenJournalFile file) {
        if (replicaRolls.isDue(missingReplicas, parts.clock().nanoTime())) {
            log.warn("{} has {} copies too few; its lane goes on to a new file", file.file(), missingReplicas);
            roll();
        }
    }

    /** Opens a file, and syncs its start, unless one is open: to see whether the storage is back. */
    public void probe() throws IOException {
        OpenJournalFile file = fileToWrite();
        try {
            sync(file, Durability.DISK);
        } catch (IOException | RuntimeException e) {
            abandon(file);
            throw e;
        }
    }

    /**
     * Makes what uncommitted groups left in their files void for every reader, for good.
     *
     * @return true if nothing of them is stored, whatever happens next
     */
    boolean undo() {
        try {
            for (OpenJournalFile file : abandoned) {
                if (!parts.sealer().undo(file)) {
                    return false;
                }
            }
            abandoned.clear();
            return true;
        } catch (IOException | RuntimeException e) {
            log.debug("Undoing an uncommitted group failed", e);
            return false;
        }
    }

    /** Leaves the open file if it is old and holds something, so that retention can delete it in time. */
    void rollIfOld() {
        if (current != null
                && parts.clock().nanoTime() - openedAtNanos
                        >= parts.config().fileAge().toNanos()) {
            roll();
        }
    }

    /** Leaves the open file, if there is one that holds something, and has it sealed. */
    public void roll() {
        sealFull();
        OpenJournalFile file = current;
        if (file != null && file.index().frameCount() > 0) {
            current = null;
            parts.sealer().sealLater(file);
        }
    }

    /** The partition is not written here any more. Safe for use by any thread. */
    void forget(LanePartition partition) {
        written.remove(partition);
    }

    /** Seals the open file, the one before it if that is not sealed yet, and the one after it. */
    void close() {
        seal(full);
        full = null;
        seal(current);
        current = null;
        seal(next == null ? null : next.take());
        next = null;
    }

    private void seal(@Nullable OpenJournalFile file) {
        if (file != null) {
            parts.sealer().seal(file);
        }
    }
}
