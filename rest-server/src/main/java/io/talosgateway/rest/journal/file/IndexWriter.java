package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes the files of this incarnation's lanes as they are sealed: so many at first, and later those of so many index files in one,
 * so that a journal has a few for each lane, however long it gets. Safe for use by any thread; blocks for storage.
 */
public final class IndexWriter {

    private static final Logger log = LoggerFactory.getLogger(IndexWriter.class);

    /** Index files of the same level that are put together. */
    private static final int MERGED = 8;

    private static final int LAST_LEVEL = 2;
    /** About 24 MB; an index file is written as a whole. */
    private static final int MOST_ROWS = 1 << 20;

    private final JournalId journal;
    private final JournalStorage storage;
    private final int filesAtFirst;
    private final Map<String, OfLane> lanes = new HashMap<>();

    /** @param filesAtFirst sealed files of a lane that are indexed together */
    public IndexWriter(JournalId journal, JournalStorage storage, int filesAtFirst) {
        this.journal = journal;
        this.storage = storage;
        this.filesAtFirst = filesAtFirst;
    }

    private static final class OfLane {
        private final Set<JournalFile> waiting = new HashSet<>();
        private final List<Written> written = new ArrayList<>();
    }

    /** An index file, and those of its journal files that are still there. */
    private record Written(IndexFileName name, int level, Set<JournalFile> files) {}

    /** A file was sealed. What cannot be written now is with the next. */
    public synchronized void add(JournalFile file) {
        OfLane lane = lanes.computeIfAbsent(file.id().lane(), absent -> new OfLane());
        lane.waiting.add(file);
        if (lane.waiting.size() >= filesAtFirst || rows(lane.waiting) >= MOST_ROWS) {
            Written first = write(0, lane.waiting);
            if (first != null) {
                lane.waiting.clear();
                lane.written.add(first);
                merge(lane, 0);
            }
        }
    }

    private void merge(OfLane lane, int level) {
        List<Written> same =
                lane.written.stream().filter(one -> one.level == level).toList();
        Set<JournalFile> files = new HashSet<>();
        same.forEach(one -> files.addAll(one.files));
        if (level == LAST_LEVEL || same.size() < MERGED || rows(files) > MOST_ROWS) {
            return;
        }
        Written merged = write(level + 1, files);
        if (merged != null) {
            lane.written.removeAll(same);
            lane.written.add(merged);
            same.stream().filter(one -> !one.name.equals(merged.name)).forEach(this::delete);
            merge(lane, level + 1);
        }
    }

    private @Nullable Written write(int level, Set<JournalFile> files) {
        List<JournalFile> inOrder = files.stream()
                .sorted(Comparator.comparing(JournalFile::id, JournalFileId.IN_ORDER))
                .toList();
        IndexFileName name = IndexFile.write(storage, journal, inOrder);
        return name == null ? null : new Written(name, level, new HashSet<>(files));
    }

    private static long rows(Set<JournalFile> files) {
        return files.stream().mapToLong(file -> file.partitions().size()).sum();
    }

    /** A file was deleted. */
    public synchronized void remove(JournalFile file) {
        OfLane lane = lanes.get(file.id().lane());
        if (lane != null && !lane.waiting.remove(file)) {
            lane.written.forEach(one -> one.files.remove(file));
            lane.written.stream().filter(one -> one.files.isEmpty()).forEach(this::delete);
            lane.written.removeIf(one -> one.files.isEmpty());
        }
    }

    private void delete(Written index) {
        try {
            // Who has taken this journal over may have written down that it counts.
            if (storage.exists(journal.openPath())) {
                storage.delete(index.name.path(journal));
            }
        } catch (IOException | RuntimeException e) {
            log.warn("Deleting {} failed; it stays as long as the journal: {}", index.name, e.toString());
        }
    }
}
