package io.talosgateway.loadgen.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Stream;

import io.talosgateway.loadgen.cli.LoadFailure;

/**
 * The folder that a run leaves: {@code result.json} and {@code report.html}. It is made when they are written, so that a run that
 * could not begin leaves nothing. Stateless.
 */
public final class ResultFolder {

    public static final String RESULT = "result.json";
    public static final String REPORT = "report.html";

    private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("yyyy-MM-dd_HH-mm-ss", Locale.ROOT);

    private ResultFolder() {}

    /** Where a run goes that is not told where: {@code results/} and the time. */
    public static Path byTime() {
        return Path.of("results", NAME.format(LocalDateTime.now(ZoneId.systemDefault())));
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

    /** Returns the page. */
    public static Path write(Path folder, Report report) {
        Path page = folder.resolve(REPORT);
        ResultFile.write(folder.resolve(RESULT), report);
        ResultFile.writeText(page, ReportPage.of(report).toHtml());
        return page;
    }
}
