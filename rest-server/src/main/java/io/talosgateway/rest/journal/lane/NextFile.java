package io.talosgateway.rest.journal.lane;

import java.io.IOException;
import java.util.concurrent.RejectedExecutionException;

import io.talosgateway.rest.journal.file.OpenJournalFile;
import io.talosgateway.rest.journal.file.StartRecord;
import io.talosgateway.rest.topic.Durability;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file that a lane goes on to when its open one is full, made ready beside it. To create a file and its first block, a
 * NameNode forces its log to disk twice; while the full file is forced to the same disk, each of that takes as long as the
 * rest of the file. A lane whose next file is ready waits for neither.
 *
 * <p>What is made ready holds a start without entries, which says nothing of any partition; the lane writes its own behind it.
 * Safe for use by any thread.
 */
final class NextFile {

    private static final Logger log = LoggerFactory.getLogger(NextFile.class);

    private final LaneParts parts;
    private final StartRecord start;
    private final int tag;
    /** Guarded by this, as is what follows. */
    private @Nullable OpenJournalFile ready;

    private boolean wanted = true;

    NextFile(LaneParts parts, StartRecord start, int tag) {
        this.parts = parts;
        this.start = start;
        this.tag = tag;
    }

    /** Begins; if it fails, or nobody is there to do it, there is just nothing to take. */
    void prepareLater() {
        try {
            parts.background().execute(this::prepare);
        } catch (RejectedExecutionException e) {
            log.debug("{} is not made ready: the journal is being closed", start.file());
        }
    }

    private void prepare() {
        try {
            OpenJournalFile file = OpenJournalFile.create(
                    parts.storage(), start, tag, parts.config().expectedFileBytes());
            try {
                file.writeStart();
                file.sync(Durability.MEMORY, 0);
            } catch (IOException | RuntimeException e) {
                parts.sealer().settleLater(file);
                throw e;
            }
            if (!offer(file)) {
                parts.sealer().sealLater(file);
            }
        } catch (IOException | RuntimeException e) {
            log.debug("Making {} ready failed; its lane makes another", start.file(), e);
        }
    }

    private synchronized boolean offer(OpenJournalFile file) {
        if (wanted) {
            ready = file;
        }
        return wanted;
    }

    /** The file, which is the caller's from now on; null if it is not ready, and then it never will be. */
    synchronized @Nullable OpenJournalFile take() {
        OpenJournalFile file = ready;
        ready = null;
        wanted = false;
        return file;
    }
}
