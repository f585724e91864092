package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Copies and deletes directories with what is in them. Stateless. */
final class Trees {

    private Trees() {}

    private static List<Path> walk(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** Does nothing if there is none. Does not follow links. */
    static void delete(Path directory) throws IOException {
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            for (Path path : walk(directory)) {
                Files.deleteIfExists(path);
            }
        }
    }

    static void copy(Path from, Path to) throws IOException {
        List<Path> deepestFirst = walk(from);
        for (int index = deepestFirst.size() - 1; index >= 0; index--) {
            Path path = deepestFirst.get(index);
            Path target = to.resolve(from.relativize(path).toString());
            if (Files.isDirectory(path)) {
                Files.createDirectories(target);
            } else {
                Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }
}
