package io.talosgateway.rest.journal.recovery;

import java.io.IOException;

import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.read.JournalReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes journal files. Safe for use by any thread; blocks for storage. */
final class FileDeletion {

    private static final Logger log = LoggerFactory.getLogger(FileDeletion.class);

    private final JournalStorage storage;
    private final JournalReader reader;
    private final JournalMetrics metrics;

    FileDeletion(JournalStorage storage, JournalReader reader, JournalMetrics metrics) {
        this.storage = storage;
        this.reader = reader;
        this.metrics = metrics;
    }

    /** @return false if that has to be tried again */
    boolean delete(JournalFileId file) {
        try {
            // The footer goes last: a footer without its file is harmless, a file without its true end is not.
            storage.delete(file.path());
            storage.delete(file.detachedFooterPath());
        } catch (IOException e) {
            log.warn("Deleting {} failed, trying again later: {}", file, e.toString());
            return false;
        }
        reader.forget(file);
        metrics.fileDeleted();
        log.info("Deleted {}: everything in it was out of its retention", file);
        return true;
    }
}
