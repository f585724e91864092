package io.talosgateway.benchmarks.selection;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads from Linux's {@code /proc} how often the threads of this process were switched. Stateless. */
final class ContextSwitches {

    private static final Path TASKS = Path.of("/proc/self/task");

    private ContextSwitches() {}

    /** Voluntary and involuntary switches of all threads that live, since they began; 0 where there is no {@code /proc}. */
    static long soFar() {
        if (!Files.isDirectory(TASKS)) {
            return 0;
        }
        long switches = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                switches += of(task);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return switches;
    }

    private static long of(Path task) throws IOException {
        try {
            return Files.readAllLines(task.resolve("status")).stream()
                    .filter(line -> line.contains("ctxt_switches:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .sum();
        } catch (NoSuchFileException e) {
            return 0; // The thread has ended.
        }
    }
}
