package io.talosgateway.rest.requestlog;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.talosgateway.rest.config.DataSize;

/** The access log as a file of JSON lines in ASCII: whatever clients send, it is one line, and safe to show in a terminal. */
public final class AccessFile implements AccessLog, AutoCloseable {

    private static final ObjectMapper MAPPER =
            JsonMapper.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    private final InstantSource clock;
    private final LineFile<Line> lines;

    /** @param timeMs when the request ended, epoch milliseconds */
    private record Line(long timeMs, Entry entry) {}

    private record Text(String time, @JsonUnwrapped Entry entry) {}

    /**
     * Where the access log is.
     *
     * @param maxSize of one file
     * @param maxFiles that are kept
     */
    public record Config(Path file, DataSize maxSize, int maxFiles) {

        private static final int MIN_BYTES = 1024;

        public Config {
            if (maxSize.toBytes() < MIN_BYTES || maxFiles < 1) {
                throw new IllegalArgumentException(
                        "access.max-size must be 1KiB at least, and access.max-files positive: " + maxSize + ", "
                                + maxFiles);
            }
        }
    }

    public AccessFile(Config config, InstantSource clock) {
        this.clock = clock;
        this.lines = new LineFile<>(
                "access", config.file(), config.maxSize().toBytes(), config.maxFiles(), AccessFile::text);
    }

    /**
     * Opens the file and starts its thread.
     *
     * @throws IOException with a sentence for the operator if it cannot be written
     */
    public AccessFile start() throws IOException {
        lines.start();
        return this;
    }

    @Override
    public void add(Entry entry) {
        lines.add(new Line(clock.millis(), entry));
    }

    private static String text(Line line) {
        try {
            return MAPPER.writeValueAsString(
                    new Text(Instant.ofEpochMilli(line.timeMs).toString(), line.entry));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our own entries can be written as JSON", e);
        }
    }

    /** Lines that are missing in the file. */
    public long lost() {
        return lines.lost();
    }

    @Override
    public void close() {
        lines.close();
    }
}
