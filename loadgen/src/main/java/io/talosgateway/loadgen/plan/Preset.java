package io.talosgateway.loadgen.plan;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.content.Sizes;

/** Values of options for a purpose. What the user says goes over them. */
public enum Preset {
    /** A look at whether all is well with a gateway on this host, in half a minute. */
    SMOKE;

    public Map<String, Object> options() {
        return switch (this) {
            case SMOKE ->
                Map.of(
                        "--topic", List.of("smoke"),
                        "--partitions", 8,
                        "--put-threads", 8,
                        "--get-threads", 8,
                        "--size", Sizes.parse("1KiB"),
                        "--warmup", Warmup.of(Duration.ofSeconds(2)),
                        "--duration", Duration.ofSeconds(10));
        };
    }
}
