package io.talosgateway.benchmarks.ideal;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.benchmarks.ideal.Measurement.Variant;
import org.jspecify.annotations.Nullable;

/**
 * What is the same for all runs.
 *
 * @param values of the configuration of gateway and ideal gateway alike, over what the comparison sets
 */
record LoadSettings(
        int partitions,
        int producers,
        String size,
        Duration warmup,
        Duration duration,
        int dataNodes,
        Map<String, String> values) {

    /** The server's configuration. */
    Map<String, String> server(@Nullable String storageRoot, @Nullable String durability) {
        Map<String, String> settings = new TreeMap<>();
        settings.put("http.port", "0");
        if (storageRoot != null && durability != null) {
            settings.put("storage.root", storageRoot);
            settings.put("hadoop.dfs.replication", Integer.toString(dataNodes));
            settings.put("journal.durability", durability);
        }
        settings.putAll(values);
        return settings;
    }

    /** The load generator's arguments; only what concerns topic and key differs between the variants. */
    List<String> loadgen(Variant variant, String endpoint, Path keyFile, Path json) {
        List<String> arguments = new ArrayList<>(List.of(
                "--endpoint",
                endpoint,
                "--partitions",
                Integer.toString(partitions),
                "--put-threads",
                Integer.toString(producers),
                "--size",
                size,
                "--warmup",
                warmup.toMillis() + "ms",
                "--duration",
                duration.toMillis() + "ms",
                "--json",
                json.toString()));
        if (variant == Variant.GATEWAY) {
            arguments.addAll(List.of("--key-file", keyFile.toString()));
        } else {
            arguments.add("--no-create");
        }
        return arguments;
    }
}
