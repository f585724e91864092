package io.talosgateway.rest.http.audit;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.requestlog.LineFile;
import io.talosgateway.rest.requestlog.PerSecond;
import org.jspecify.annotations.Nullable;

/**
 * The audit log as a file of JSON lines. Requests that change nothing come in any number, also from people without a key: more than a few
 * in a second are counted only, so that they do not drive changes out of the files.
 */
public final class AuditFile implements AuditLog, AutoCloseable {

    static final long MAX_BYTES = 64L << 20;
    static final int FILES = 10;
    static final int OTHERS_PER_SECOND = 20;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final InstantSource clock;
    private final LineFile<Line> lines;
    private final PerSecond others = new PerSecond(OTHERS_PER_SECOND);

    /** @param notLogged requests that changed nothing, before this one, that were counted only */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            String time,
            @JsonUnwrapped @Nullable Entry entry,
            @Nullable Long notLogged) {}

    public AuditFile(Path file, InstantSource clock) {
        this(file, MAX_BYTES, clock);
    }

    AuditFile(Path file, long maxBytes, InstantSource clock) {
        this.clock = clock;
        this.lines = new LineFile<>("audit", file, maxBytes, FILES, AuditFile::json);
    }

    /**
     * Opens the file and starts the thread.
     *
     * @throws IOException with a sentence for the operator if it cannot be written
     */
    public AuditFile start() throws IOException {
        lines.start();
        return this;
    }

    /** Entries that are missing in the file, because it could not be written, or not as fast. */
    public long lost() {
        return lines.lost();
    }

    @Override
    public void add(Entry entry, boolean changed) {
        long nowMs = clock.millis();
        long before = changed ? 0 : others.next(nowMs / 1000);
        if (before < 0) {
            return;
        }
        lines.add(new Line(Instant.ofEpochMilli(nowMs).toString(), entry, before > 0 ? before : null));
    }

    private static String json(Line line) {
        try {
            return MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our own entries can be written as JSON", e);
        }
    }

    /** Writes what waits, and ends. */
    @Override
    public void close() {
        lines.close();
    }
}
