package io.talosgateway.rest.bootstrap;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.requestlog.AccessFile;
import io.talosgateway.rest.tracing.OtelTracing;
import org.jspecify.annotations.Nullable;

/**
 * What is noted of requests, and where.
 *
 * @param auditFile where changes and refusals are written; null for nowhere
 * @param access where each request is written; null for nowhere
 * @param slowRequest from which on a request is logged as slow; zero for never
 * @param tracing where spans go; null for nowhere
 */
public record LogConfig(
        @Nullable Path auditFile,
        AccessFile.@Nullable Config access,
        Duration slowRequest,
        OtelTracing.@Nullable Config tracing) {

    static LogConfig read(Settings settings) {
        return new LogConfig(
                file(settings, "audit.file"),
                access(settings),
                settings.duration("log.slow-request", Duration.ofSeconds(1)),
                tracing(settings));
    }

    private static AccessFile.@Nullable Config access(Settings settings) {
        Path file = file(settings, "access.file");
        DataSize maxSize = settings.size("access.max-size", DataSize.ofMiB(64));
        int maxFiles = settings.integer("access.max-files", 10);
        return file == null ? null : new AccessFile.Config(file, maxSize, maxFiles);
    }

    private static OtelTracing.@Nullable Config tracing(Settings settings) {
        String endpoint = settings.optional("tracing.otlp-endpoint");
        double sampleRatio = settings.number("tracing.sample-ratio", 0.01);
        if (endpoint == null) {
            return null;
        }
        try {
            return new OtelTracing.Config(URI.create(endpoint), sampleRatio);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    private static @Nullable Path file(Settings settings, String key) {
        String file = settings.optional(key);
        return file == null ? null : Path.of(file).toAbsolutePath().normalize();
    }
}
