package io.talosgateway.loadgen.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A process that was started here and ends here. Safe for use by any thread. */
public final class ChildProcess implements AutoCloseable {

    private static final int KEPT_LINES = 200;
    private static final long STOP_SECONDS = 30;

    private final String name;
    private final Process process;

    // Guarded by this.
    private final Deque<String> lines = new ArrayDeque<>();
    private boolean outputEnded;

    private ChildProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** @param environment in addition to our own */
    public static ChildProcess start(String name, List<String> command, Map<String, String> environment)
            throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        ChildProcess child = new ChildProcess(name, builder.start());
        Thread reader = new Thread(child::readOutput, name + "-output");
        reader.setDaemon(true);
        reader.start();
        return child;
    }

    private void readOutput() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                add(line);
            }
        } catch (IOException e) {
            add("(its output could not be read further: " + e.getMessage() + ")");
        }
        synchronized (this) {
            outputEnded = true;
            notifyAll();
        }
    }

    private synchronized void add(String line) {
        lines.addLast(line);
        if (lines.size() > KEPT_LINES) {
            lines.removeFirst();
        }
        notifyAll();
    }

    /**
     * Waits for a line of its output.
     *
     * @throws IOException if it ends, or the time runs out, before it comes; with what it has said instead
     */
    public synchronized Matcher awaitLine(Pattern pattern, Duration timeout) throws IOException, InterruptedException {
        long deadlineAtNanos = System.nanoTime() + timeout.toNanos();
        while (true) {
            for (String line : lines) {
                Matcher matcher = pattern.matcher(line);
                if (matcher.find()) {
                    return matcher;
                }
            }
            long remainingMs = TimeUnit.NANOSECONDS.toMillis(deadlineAtNanos - System.nanoTime());
            if (outputEnded || remainingMs <= 0) {
                throw failure(outputEnded ? "has ended" : "has not said '" + pattern + "' in time");
            }
            wait(remainingMs);
        }
    }

    /**
     * Waits until it has ended by itself.
     *
     * @throws IOException if it fails, or the time runs out; with what it has said
     */
    public void awaitSuccess(Duration timeout) throws IOException, InterruptedException {
        if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            throw failure("does not end");
        }
        if (process.exitValue() != 0) {
            awaitOutputEnd();
            throw failure("ended with status " + process.exitValue());
        }
    }

    private synchronized void awaitOutputEnd() throws InterruptedException {
        while (!outputEnded) {
            wait();
        }
    }

    private synchronized IOException failure(String what) {
        return new IOException("The %s %s. It said:%n%s".formatted(name, what, String.join("\n", lines)));
    }

    /**
     * Waits for a while.
     *
     * @return whether it has ended
     */
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return process.waitFor(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    public long pid() {
        return process.pid();
    }

    public synchronized List<String> said() {
        return List.copyOf(lines);
    }

    public Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    /** Ends it at once, whatever it is at, and waits until it is gone. */
    public void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Tells it to end, waits, and in the end makes it. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
    }
}
