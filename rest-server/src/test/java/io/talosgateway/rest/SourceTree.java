package io.talosgateway.rest;

import java.nio.file.Files;
import java.nio.file.Path;

/** The files of the project, wherever in it a test runs. */
public final class SourceTree {

    private SourceTree() {}

    /** @param place from the root of the source tree */
    public static Path file(String place) {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve("docs/decisions"))) {
                return folder.resolve(place);
            }
        }
        throw new IllegalStateException("run this in the source tree");
    }
}
