package io.talosgateway.client;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A topic to create.
 *
 * @param name 1 to 80 letters, digits, {@code _} and {@code -}
 * @param partitions how many; null for the gateway's default
 * @param retention how long messages are kept; null for the gateway's default
 * @param attributes free-form; {@code talos.durability} is {@code disk} or {@code memory}
 */
public record NewTopic(
        String name, @Nullable Integer partitions, @Nullable Duration retention, Map<String, String> attributes) {

    public NewTopic {
        attributes = Map.copyOf(attributes);
    }

    /** With the gateway's defaults. */
    public NewTopic(String name) {
        this(name, null, null, Map.of());
    }

    /** With so many partitions. */
    public NewTopic(String name, int partitions) {
        this(name, partitions, null, Map.of());
    }
}
