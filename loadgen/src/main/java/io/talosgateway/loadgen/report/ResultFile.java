package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.talosgateway.loadgen.cli.LoadFailure;

/** Results as files. Stateless. */
public final class ResultFile {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
            .enable(SerializationFeature.INDENT_OUTPUT);

    private ResultFile() {}

    /**
     * Finds out that the file cannot be written before the load, not after it.
     *
     * @param option the option that names it
     */
    public static void check(String option, Path file) {
        Path folder = file.toAbsolutePath().getParent();
        boolean writable = Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
        if (!writable) {
            throw new LoadFailure(option + ": cannot write to " + file);
        }
    }

    /** As JSON. The folder is made if it is not there. */
    public static void write(Path file, Object result) {
        try {
            writeText(file, MAPPER.writeValueAsString(result));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The folder is made if it is not there. */
    public static void writeText(Path file, String text) {
        Path folder = file.toAbsolutePath().getParent();
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new LoadFailure("The results cannot be written to " + file + ": " + e.getMessage(), e);
        }
    }
}
