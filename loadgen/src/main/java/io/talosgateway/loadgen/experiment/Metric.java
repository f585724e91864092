package io.talosgateway.loadgen.experiment;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.core.type.TypeReference;
import io.talosgateway.loadgen.measure.Better;

/**
 * Something that is measured of a trial; {@code experiments/metrics.yaml} in the jar has all of them.
 *
 * @param key in {@code result.json}
 * @param title of a column
 */
record Metric(String key, String title, Better better) {

    record Definition(String title, Better better) {}

    private static final Map<String, Definition> DEFINITIONS =
            ExperimentFile.MAPPER.convertValue(ExperimentFile.yaml("metrics"), new TypeReference<>() {});

    /** @throws IllegalArgumentException if there is none with that key */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static Metric of(String key) {
        Definition definition = DEFINITIONS.get(key);
        if (definition == null) {
            throw new IllegalArgumentException("there is no metric '%s'".formatted(key));
        }
        return new Metric(key, definition.title, definition.better);
    }
}
