package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.talosgateway.loadgen.cli.LoadFailure;

/**
 * A run of the past.
 *
 * @param name as the user named it
 */
public record StoredRun(String name, Report report) {

    /** Older results lack lists. */
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .withConfigOverride(List.class, list -> list.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .withConfigOverride(Map.class, map -> map.setSetterInfo(JsonSetter.Value.forValueNulls(Nulls.AS_EMPTY)))
            .build();

    /**
     * Reads one.
     *
     * @param path of its folder, or of its {@code result.json}
     * @throws LoadFailure with a sentence for the user if there is none
     */
    public static StoredRun read(Path path) {
        Path file = Files.isDirectory(path) ? path.resolve(ResultFolder.RESULT) : path;
        try {
            Report report = MAPPER.readValue(Files.readAllBytes(file), Report.class);
            if (report == null || (report.put() == null && report.get() == null)) {
                throw new LoadFailure(file + " is not a result of 'talos-loadgen run'");
            }
            return new StoredRun(path.toString(), report);
        } catch (NoSuchFileException e) {
            throw new LoadFailure("There is no result " + file, e);
        } catch (JacksonException e) {
            throw new LoadFailure(file + " is not a result of 'talos-loadgen run': " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new LoadFailure(file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
