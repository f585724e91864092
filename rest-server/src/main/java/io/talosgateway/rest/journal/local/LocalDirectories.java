package io.talosgateway.rest.journal.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes names in directories of a local disk durable: a new one survives a power cut only if its directory was forced. Stateless. */
final class LocalDirectories {

    private static final Logger log = LoggerFactory.getLogger(LocalDirectories.class);

    private LocalDirectories() {}

    /** How a directory is forced. */
    @FunctionalInterface
    interface Force {
        void force(Path directory) throws IOException;
    }

    static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /**
     * Forces a directory and all above it.
     *
     * @param madeIn the lowest that was there before; those above it were made by others, maybe this gateway in an earlier life,
     *     and are forced if that is possible
     */
    static void forceWithParents(Path directory, Path madeIn, Force force) throws IOException {
        for (Path next = directory; next != null; next = next.getParent()) {
            try {
                force.force(next);
            } catch (IOException e) {
                if (next.startsWith(madeIn)) {
                    throw e;
                }
                log.debug("Forcing {} failed", next, e);
            }
        }
    }

    /** The directory, or the lowest above it that exists. */
    static Path existing(Path directory) {
        Path found = directory;
        for (Path above = found.getParent(); above != null && !Files.exists(found); above = above.getParent()) {
            found = above;
        }
        return found;
    }
}
