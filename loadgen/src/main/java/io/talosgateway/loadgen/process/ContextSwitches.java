package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads from Linux's {@code /proc} how often the threads of a process were switched. Stateless. */
public final class ContextSwitches {

    private ContextSwitches() {}

    /** Voluntary and involuntary switches of all threads that live, since they began; 0 where there is no {@code /proc}. */
    public static long soFar() {
        return of(ProcessHandle.current().pid());
    }

    /** The same of another process; 0 as well if it has ended. */
    public static long of(long pid) {
        Path directory = Path.of("/proc", Long.toString(pid), "task");
        if (!Files.isDirectory(directory)) {
            return 0;
        }
        long switches = 0;
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(directory)) {
            for (Path task : tasks) {
                switches += of(task);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return switches;
    }

    private static long of(Path task) {
        try {
            return Files.readAllLines(task.resolve("status")).stream()
                    .filter(line -> line.contains("ctxt_switches:"))
                    .mapToLong(line ->
                            Long.parseLong(line.substring(line.indexOf(':') + 1).trim()))
                    .sum();
        } catch (IOException e) {
            return 0; // The thread has ended; while it does, reading fails in other ways than that there is no file.
        }
    }
}
