package io.talosgateway.loadgen.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the garbage collector of a JVM has written to its log, if it was started with {@link #option}.
 *
 * @param pauses in which the program stood still, in their order
 */
public record GcLog(List<Pause> pauses) {

    /** {@code [1700000000123ms] GC(7) Pause Young (Normal) (G1 Evacuation Pause) 24M->3M(256M) 2.345ms}. */
    private static final Pattern PAUSE =
            Pattern.compile("^\\[(\\d+)ms\\] GC\\(\\d+\\) Pause (.+?) \\d+M->\\d+M\\(\\d+M\\) ([0-9.]+)ms$");

    /**
     * A pause.
     *
     * @param endMs when it was over, epoch milliseconds
     * @param kind such as {@code Young (Normal) (G1 Evacuation Pause)}
     */
    public record Pause(long endMs, double ms, String kind) {

        /** When it began, epoch milliseconds. */
        public double startMs() {
            return endMs - ms;
        }

        /** Whether all of the heap was collected in it, because nothing else helped. */
        public boolean isFull() {
            return kind.startsWith("Full");
        }
    }

    public static String option(Path file) {
        return "-Xlog:gc:file=" + file + ":timemillis:filecount=0";
    }

    public static GcLog read(Path file) throws IOException {
        return parse(Files.readAllLines(file));
    }

    static GcLog parse(List<String> lines) {
        List<Pause> pauses = new ArrayList<>();
        for (String line : lines) {
            Matcher matcher = PAUSE.matcher(line);
            if (matcher.matches()) {
                pauses.add(new Pause(
                        Long.parseLong(matcher.group(1)), Double.parseDouble(matcher.group(3)), matcher.group(2)));
            }
        }
        return new GcLog(pauses);
    }

    /** Those that ended in a stretch of time, in epoch milliseconds. */
    public GcLog between(long fromMs, long untilMs) {
        return new GcLog(pauses.stream()
                .filter(pause -> pause.endMs() >= fromMs && pause.endMs() < untilMs)
                .toList());
    }

    /** The longest, in milliseconds; 0 if there was none. */
    public double longestMs() {
        return pauses.stream().mapToDouble(Pause::ms).max().orElse(0);
    }

    /** Pauses in which all of the heap was collected. */
    public long full() {
        return pauses.stream().filter(Pause::isFull).count();
    }
}
