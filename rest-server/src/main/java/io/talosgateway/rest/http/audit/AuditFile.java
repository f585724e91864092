package io.talosgateway.rest.http.audit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.util.concurrent.Uninterruptibles;
import io.talosgateway.rest.config.PrivateFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit log as a file of JSON lines. At a size it becomes {@code name.1}, that {@code name.2} and so on; the oldest is deleted.
 * Requests that change nothing come in any number, also from people without a key: more than a few in a second are counted only, so
 * that they do not drive changes out of the files.
 */
public final class AuditFile implements AuditLog, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(AuditFile.class);

    static final long MAX_BYTES = 64L << 20;
    static final int FILES = 10;
    static final int OTHERS_PER_SECOND = 20;
    private static final int MAX_WAITING = 10_000;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Path file;
    private final long maxBytes;
    private final InstantSource clock;
    private final BlockingQueue<Line> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Thread thread = new Thread(this::run, "audit");
    private @Nullable FileChannel channel;
    private boolean failing;

    private long second;
    private int others;
    private long notLogged;

    /** @param notLogged requests that changed nothing, before this one, that were counted only */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(
            String time,
            @JsonUnwrapped @Nullable Entry entry,
            @Nullable Long notLogged) {

        /** The last one: there is nothing more to write. */
        static final Line END = new Line("", null, null);
    }

    public AuditFile(Path file, InstantSource clock) {
        this(file, MAX_BYTES, clock);
    }

    AuditFile(Path file, long maxBytes, InstantSource clock) {
        this.file = file;
        this.maxBytes = maxBytes;
        this.clock = clock;
    }

    /**
     * Opens the file and starts the thread.
     *
     * @throws IOException with a sentence for the operator if it cannot be written
     */
    public AuditFile start() throws IOException {
        try {
            channel = open();
        } catch (IOException e) {
            throw new IOException("The file of audit.file cannot be written: " + e, e);
        }
        thread.setDaemon(true);
        thread.start();
        return this;
    }

    /** Entries that are missing in the file, because it could not be written, or not as fast. */
    public long lost() {
        return lost.get();
    }

    @Override
    public void add(Entry entry, boolean changed) {
        long nowMs = clock.millis();
        long before = changed ? 0 : notLoggedBefore(nowMs / 1000);
        if (before < 0) {
            return;
        }
        String time = Instant.ofEpochMilli(nowMs).toString();
        if (!waiting.offer(new Line(time, entry, before > 0 ? before : null))) {
            lost.incrementAndGet();
        }
    }

    /** How many were not logged before this one; -1 if this one is not, either. */
    private synchronized long notLoggedBefore(long now) {
        if (now != second) {
            second = now;
            others = 0;
        }
        if (others >= OTHERS_PER_SECOND) {
            notLogged++;
            return -1;
        }
        others++;
        long before = notLogged;
        notLogged = 0;
        return before;
    }

    private void run() {
        List<Line> lines = new ArrayList<>();
        boolean ended = false;
        while (!ended) {
            lines.clear();
            try {
                lines.add(waiting.take());
            } catch (InterruptedException e) {
                return;
            }
            waiting.drainTo(lines);
            ended = lines.remove(Line.END);
            if (!lines.isEmpty()) {
                write(lines);
            }
        }
    }

    private void write(List<Line> lines) {
        try {
            StringBuilder text = new StringBuilder();
            for (Line line : lines) {
                text.append(json(line)).append('\n');
            }
            append(ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8)));
            if (failing) {
                log.info("The audit log {} is written again; {} entries are missing", file, lost);
            }
            failing = false;
        } catch (IOException e) {
            lost.addAndGet(lines.size());
            if (!failing) {
                log.error("The audit log {} cannot be written, and entries are lost: {}", file, e.toString());
            }
            failing = true;
            closeFile();
        }
    }

    private static String json(Line line) {
        try {
            return MAPPER.writeValueAsString(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("our own entries can be written as JSON", e);
        }
    }

    private void append(ByteBuffer bytes) throws IOException {
        FileChannel out = channel == null ? open() : channel;
        channel = out;
        if (out.size() > 0 && out.size() + bytes.remaining() > maxBytes) {
            closeFile();
            roll();
            out = open();
            channel = out;
        }
        while (bytes.hasRemaining()) {
            out.write(bytes);
        }
    }

    private FileChannel open() throws IOException {
        return PrivateFiles.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    }

    private void roll() throws IOException {
        for (int number = FILES - 1; number > 0; number--) {
            Path from = number == 1 ? file : older(number - 1);
            if (Files.exists(from)) {
                Files.move(from, older(number), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Path older(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void closeFile() {
        FileChannel open = channel;
        channel = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                log.debug("Closing {} was not clean", file, e);
            }
        }
    }

    /** Writes what waits, and ends. */
    @Override
    public void close() {
        if (thread.isAlive()) {
            Uninterruptibles.putUninterruptibly(waiting, Line.END);
            Uninterruptibles.joinUninterruptibly(thread);
        }
        closeFile();
    }
}
