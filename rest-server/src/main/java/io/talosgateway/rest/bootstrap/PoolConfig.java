package io.talosgateway.rest.bootstrap;

import java.util.Map;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.PlacementPolicy;
import io.talosgateway.scheduler.QueueLimits;
import io.talosgateway.scheduler.QueueLimits.Limit;

/** Reads the configuration of a pool of threads. */
final class PoolConfig {

    private static final Map<String, PlacementPolicy> POLICIES =
            Map.of("least-loaded", PlacementPolicy.LEAST_LOADED, "hash", PlacementPolicy.HASH);

    private final Settings settings;
    private final String name;

    private PoolConfig(Settings settings, String name) {
        this.settings = settings;
        this.name = name;
    }

    /**
     * The pool of this name.
     *
     * @param threads its default number of threads
     * @param total default bound of everything that waits
     * @param perKey default bound of what waits for one key: a partition, a topic
     */
    static KeyedThreadPoolConfig read(Settings settings, String name, int threads, Limit total, Limit perKey) {
        PoolConfig pool = new PoolConfig(settings, name);
        try {
            return new KeyedThreadPoolConfig(
                    name,
                    settings.integer(name + ".threads", threads),
                    settings.choice(name + ".policy", POLICIES, "least-loaded"),
                    new QueueLimits(
                            pool.limit("-per-key", perKey), pool.limit("-per-thread", total), pool.limit("", total)),
                    settings.integer(name + ".max-bypasses", 32));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(
                    "%s.threads, .max-bypasses, and all that begins with %s.max-queued must be positive (%s)"
                            .formatted(name, name, e.getMessage()),
                    e);
        }
    }

    private Limit limit(String whose, Limit otherwise) {
        return new Limit(
                settings.integer(name + ".max-queued" + whose, otherwise.tasks()),
                settings.size(name + ".max-queued-size" + whose, new DataSize(otherwise.bytes()))
                        .toBytes());
    }
}
