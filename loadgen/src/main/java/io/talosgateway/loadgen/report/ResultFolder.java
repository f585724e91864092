package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.measure.IntervalLog;
import io.talosgateway.loadgen.measure.Kind;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.jspecify.annotations.Nullable;

/**
 * A folder with the files of a run: {@code result.json}, {@code report.html}, and of each kind of request an interval log
 * ({@code put.hlog}) for the tools of HdrHistogram. It is made with the first
 * file, so that a run that could not begin leaves nothing. For one thread.
 */
public final class ResultFolder implements IntervalLog, AutoCloseable {

    public static final String RESULT = "result.json";
    public static final String REPORT = "report.html";

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyy-MM-dd_HH-mm-ss", Locale.ROOT);

    private final Path folder;
    private final InstantSource clock;
    private long startMs;
    private final Map<Kind, HistogramLogWriter> writers = new EnumMap<>(Kind.class);
    private final Map<Kind, PrintStream> streams = new EnumMap<>(Kind.class);

    public ResultFolder(Path folder) {
        this(folder, InstantSource.system());
    }

    ResultFolder(Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /** Where a run goes that is not told where: {@code results/} and when it began. */
    public static Path byTime(LocalDateTime now) {
        return Path.of("results", NAME.format(now));
    }

    /**
     * Finds out that nothing can be written there before the load, not after it.
     *
     * @throws LoadFailure with a sentence for the user
     */
    public static void check(Path folder) {
        if (Files.isDirectory(folder)) {
            try (Stream<Path> files = Files.list(folder)) {
                if (files.findAny().isPresent()) {
                    throw new LoadFailure("--out: %s is not empty; name another folder".formatted(folder));
                }
            } catch (IOException e) {
                throw new LoadFailure("--out: cannot read " + folder, e);
            }
        }
        Path existing = folder.toAbsolutePath();
        while (existing.getParent() != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
            throw new LoadFailure("--out: cannot write to " + folder);
        }
    }

    public Path report() {
        return folder.resolve(REPORT);
    }

    @Override
    public void begin() {
        startMs = clock.millis();
    }

    @Override
    public void interval(Kind kind, double fromSeconds, double untilSeconds, Histogram latency) {
        Histogram copy = latency.copy();
        copy.setStartTimeStamp(startMs + Math.round(1000 * fromSeconds));
        copy.setEndTimeStamp(startMs + Math.round(1000 * untilSeconds));
        writers.computeIfAbsent(kind, this::open).outputIntervalHistogram(copy);
    }

    private HistogramLogWriter open(Kind kind) {
        PrintStream stream = stream(kind.text() + ".hlog");
        streams.put(kind, stream);
        HistogramLogWriter writer = new HistogramLogWriter(stream);
        writer.outputComment(
                "[Latencies of %ss in nanoseconds, by the second in which they were answered]".formatted(kind.text()));
        writer.outputLogFormatVersion();
        writer.outputStartTime(startMs);
        writer.setBaseTime(startMs);
        writer.outputLegend();
        return writer;
    }

    private PrintStream stream(String name) {
        try {
            Files.createDirectories(folder);
            return new PrintStream(Files.newOutputStream(folder.resolve(name)), false, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw cannotWrite(folder.resolve(name), e);
        }
    }

    /** Writes everything that comes at the end. */
    public void write(Report report) {
        ResultFile.write(folder.resolve(RESULT), report);
        ResultFile.writeText(report(), ReportPage.of(report).toHtml());
        for (Map.Entry<Kind, PrintStream> stream : streams.entrySet()) {
            if (stream.getValue().checkError()) {
                throw cannotWrite(folder.resolve(stream.getKey().text() + ".hlog"), null);
            }
        }
    }

    private static LoadFailure cannotWrite(Path file, @Nullable Exception reason) {
        String why = reason == null || reason.getMessage() == null ? "is the disk full?" : reason.getMessage();
        return new LoadFailure("The results cannot be written to " + file + ": " + why, reason);
    }

    @Override
    public void close() {
        streams.values().forEach(PrintStream::close);
    }
}
