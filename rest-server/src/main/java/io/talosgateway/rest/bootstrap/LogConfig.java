package io.talosgateway.rest.bootstrap;

import java.nio.file.Path;
import java.time.Duration;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.requestlog.AccessFile;
import org.jspecify.annotations.Nullable;

/**
 * What is noted of requests, and where.
 *
 * @param auditFile where changes and refusals are written; null for nowhere
 * @param access where each request is written; null for nowhere
 * @param slowRequest from which on a request is logged as slow; zero for never
 */
public record LogConfig(@Nullable Path auditFile, AccessFile.@Nullable Config access, Duration slowRequest) {

    static LogConfig read(Settings settings) {
        return new LogConfig(
                file(settings, "audit.file"),
                access(settings),
                settings.duration("log.slow-request", Duration.ofSeconds(1)));
    }

    private static AccessFile.@Nullable Config access(Settings settings) {
        Path file = file(settings, "access.file");
        DataSize maxSize = settings.size("access.max-size", DataSize.ofMiB(64));
        int maxFiles = settings.integer("access.max-files", 10);
        return file == null ? null : new AccessFile.Config(file, maxSize, maxFiles);
    }

    private static @Nullable Path file(Settings settings, String key) {
        String file = settings.optional(key);
        return file == null ? null : Path.of(file).toAbsolutePath().normalize();
    }
}
