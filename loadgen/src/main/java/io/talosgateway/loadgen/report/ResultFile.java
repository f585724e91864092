package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.talosgateway.loadgen.cli.LoadFailure;

/** Results as a JSON file. Stateless. */
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

    public static void write(Path file, Object result) {
        try {
            MAPPER.writeValue(file.toFile(), result);
        } catch (IOException e) {
            throw new LoadFailure("The results cannot be written to " + file + ": " + e.getMessage(), e);
        }
    }
}
