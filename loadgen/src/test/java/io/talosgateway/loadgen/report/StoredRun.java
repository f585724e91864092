package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.Summary;

/** What a run has written, for tests; with those fields that they look at. */
public record StoredRun(
        int partitions,
        int putThreads,
        int getThreads,
        int sizeBytes,
        double warmupSeconds,
        double seconds,
        Summary put,
        Summary get,
        Environment environment,
        List<Second> timeline,
        List<Map<String, Double>> server,
        Load load,
        Generator generator) {

    public record Load(Integer ioThreads, int batch, boolean tls) {}

    public record Generator(double cpuSeconds) {}

    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    /** @param path of its folder, or of its {@code result.json} */
    public static StoredRun read(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(ResultFolder.RESULT) : path;
        try {
            return MAPPER.readValue(Files.readAllBytes(file), StoredRun.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
