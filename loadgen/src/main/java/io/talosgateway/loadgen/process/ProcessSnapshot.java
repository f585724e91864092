package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a process has taken so far; 0 what this system does not say.
 *
 * @param cpu time on a processor
 * @param contextSwitches of its threads that live
 * @param residentBytes of memory
 */
public record ProcessSnapshot(Duration cpu, long contextSwitches, long residentBytes, long threads) {

    private static final int BYTES_PER_KB = 1024;

    public static ProcessSnapshot at(ChildProcess process) {
        Path directory = Path.of("/proc", Long.toString(process.pid()));
        List<String> status = status(directory.resolve("status"));
        return new ProcessSnapshot(
                process.cpu(),
                contextSwitches(directory.resolve("task")),
                BYTES_PER_KB * value(status, "VmRSS:"),
                value(status, "Threads:"));
    }

    private static long contextSwitches(Path threads) {
        try (Stream<Path> all = Files.list(threads)) {
            return all.map(thread -> status(thread.resolve("status")))
                    .mapToLong(status ->
                            value(status, "voluntary_ctxt_switches:") + value(status, "nonvoluntary_ctxt_switches:"))
                    .sum();
        } catch (IOException | UncheckedIOException e) {
            return 0; // As below.
        }
    }

    private static List<String> status(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // It has ended, or this is not Linux.
        }
    }

    /** The number in a line such as {@code VmRSS:   1234 kB}. */
    static long value(List<String> status, String name) {
        for (String line : status) {
            if (line.startsWith(name)) {
                return Long.parseLong(
                        line.substring(name.length()).replace("kB", "").trim());
            }
        }
        return 0;
    }
}
