package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.UUID;

import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link JournalStorage#createWhole} for storages that can rename: a file is written under another name first. Stateless. */
public final class WholeFile {

    private static final Logger log = LoggerFactory.getLogger(WholeFile.class);
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private WholeFile() {}

    /** Gives a file another name. */
    @FunctionalInterface
    public interface Rename {

        /** @return false if there is a file of the new name */
        boolean ifAbsent(String from, String to) throws IOException;
    }

    /** As {@link JournalStorage#createWhole}. */
    public static boolean create(JournalStorage storage, Rename rename, String path, ByteSlice content)
            throws IOException {
        String temporary = path + "." + UUID.randomUUID() + TEMPORARY_SUFFIX;
        boolean created = false;
        try {
            try (AppendFile file = storage.create(temporary, Math.max(1, content.length()))) {
                file.write(content.array(), content.offset(), content.length());
                file.sync(Durability.DISK);
            }
            created = rename.ifAbsent(temporary, path);
        } finally {
            if (!created) {
                delete(storage, temporary);
            }
        }
        return created;
    }

    private static void delete(JournalStorage storage, String temporary) {
        try {
            storage.delete(temporary);
        } catch (IOException e) {
            log.debug("Deleting {} failed; whoever takes its journal over deletes it", temporary, e);
        }
    }
}
