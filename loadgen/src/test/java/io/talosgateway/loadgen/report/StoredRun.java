package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.ObjectMapper;

/** What a run has written, for tests. */
public record StoredRun(Report report) {

    /** @param path of its folder, or of its {@code result.json} */
    public static StoredRun read(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(ResultFolder.RESULT) : path;
        try {
            return new StoredRun(new ObjectMapper().readValue(Files.readAllBytes(file), Report.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
