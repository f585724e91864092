package io.talosgateway.rest.requestlog;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

import com.google.common.util.concurrent.Uninterruptibles;
import io.talosgateway.rest.config.PrivateFiles;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of lines that a thread of its own writes, so that nobody waits for a disk. At a size it becomes {@code name.1}, that
 * {@code name.2} and so on; the oldest is deleted. Lines that come faster than they can be written are dropped and counted, as are
 * those of a file that cannot be written.
 *
 * @param <T> what becomes a line
 */
public final class LineFile<T> implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(LineFile.class);

    static final int MAX_WAITING = 10_000;

    private final String name;
    private final Path file;
    private final long maxBytes;
    private final int files;
    private final Function<T, String> text;
    /** Empty: the last one. */
    private final BlockingQueue<Optional<T>> waiting = new ArrayBlockingQueue<>(MAX_WAITING);

    private final AtomicLong lost = new AtomicLong();
    private final Thread thread;
    private @Nullable FileChannel channel;
    private boolean failing;

    /**
     * @param name of the log, as in <i>access</i>
     * @param maxBytes of one file
     * @param files how many are kept
     * @param text makes a line, without its end; called by the thread of the file
     */
    public LineFile(String name, Path file, long maxBytes, int files, Function<T, String> text) {
        this.name = name;
        this.file = file;
        this.maxBytes = maxBytes;
        this.files = files;
        this.text = text;
        this.thread = new Thread(this::run, name);
    }

    /**
     * Opens the file and starts the thread.
     *
     * @throws IOException with a sentence for the operator if it cannot be written
     */
    public void start() throws IOException {
        try {
            channel = open();
        } catch (IOException e) {
            throw new IOException("The file of the " + name + " log (" + name + ".file) cannot be written: " + e, e);
        }
        thread.setDaemon(true);
        thread.start();
    }

    /** Lines that are missing in the file, because it could not be written, or not as fast. */
    public long lost() {
        return lost.get();
    }

    /** Adds a line. Never blocks; any thread. */
    public void add(T line) {
        if (!waiting.offer(Optional.of(line))) {
            lost.incrementAndGet();
        }
    }

    private void run() {
        List<Optional<T>> lines = new ArrayList<>();
        boolean ended = false;
        while (!ended) {
            lines.clear();
            try {
                lines.add(waiting.take());
            } catch (InterruptedException e) {
                return;
            }
            waiting.drainTo(lines);
            ended = lines.remove(Optional.empty());
            if (!lines.isEmpty()) {
                write(lines);
            }
        }
    }

    private void write(List<Optional<T>> lines) {
        try {
            StringBuilder all = new StringBuilder();
            for (Optional<T> line : lines) {
                line.map(text).ifPresent(one -> all.append(one).append('\n'));
            }
            append(ByteBuffer.wrap(all.toString().getBytes(StandardCharsets.UTF_8)));
            if (failing) {
                log.info("The {} log {} is written again; {} entries are missing", name, file, lost);
            }
            failing = false;
        } catch (IOException e) {
            lost.addAndGet(lines.size());
            if (!failing) {
                log.error("The {} log {} cannot be written, and entries are lost: {}", name, file, e.toString());
            }
            failing = true;
            closeFile();
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
        for (int number = files - 1; number > 0; number--) {
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
            Uninterruptibles.putUninterruptibly(waiting, Optional.empty());
            Uninterruptibles.joinUninterruptibly(thread);
        }
        closeFile();
    }
}
