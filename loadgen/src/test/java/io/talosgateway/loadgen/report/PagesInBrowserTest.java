package io.talosgateway.loadgen.report;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Pages in a headless Chromium, where one is installed: narrow as a telephone and wide as a screen. */
final class PagesInBrowserTest {

    /** Says in the page's title what can only be seen when it is laid out. */
    private static final String LOOK = """
            <script>
            const drawn = [...document.querySelectorAll(".plot canvas")].filter(canvas => canvas.width > 100).length;
            const lines = cell => {
                const range = document.createRange();
                range.selectNodeContents(cell);
                return new Set([...range.getClientRects()].map(line => line.top)).size;
            };
            const words = [...document.querySelectorAll("main > .wide th, main > .wide td")]
                .filter(cell => !cell.textContent.includes(" ") && cell.textContent.length < 20 && lines(cell) > 1).length;
            const first = [...document.querySelectorAll("figure, h2")].map(element => element.tagName)[0];
            document.title = `overflow ${document.documentElement.scrollWidth > innerWidth}; plots ${drawn}; `
                + `broken words ${words}; first ${first}`;
            </script>
            """;

    @TempDir
    private Path directory;

    /** Of the windows; none without a browser. */
    static List<Integer> widths() {
        return browser().isPresent() ? List.of(375, 1440) : List.of();
    }

    private static Optional<Path> browser() {
        List<String> folders = List.of(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1));
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> folders.stream().map(folder -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The page's document after its scripts ran. */
    private String lookAt(String page, int width) throws Exception {
        Path file = Files.writeString(directory.resolve("page.html"), page.replace("</body>", LOOK + "</body>"));
        Path out = directory.resolve("document.html");
        Process process = new ProcessBuilder(List.of(
                        browser().orElseThrow().toString(),
                        "--headless",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--user-data-dir=" + directory.resolve("profile"),
                        "--window-size=" + width + ",900",
                        "--screenshot=" + directory.resolve("page.png"),
                        "--dump-dom",
                        file.toUri().toString()))
                .redirectOutput(out.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out, StandardCharsets.UTF_8);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("widths")
    void reportIsWhole(int width) throws Exception {
        assertThat(lookAt(ReportPage.of(SampleReports.report(3)).toHtml(), width))
                .contains("<title>overflow false; plots 7; broken words 0; first FIGURE</title>");
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("widths")
    void comparisonIsWhole(int width) throws Exception {
        List<String> names = List.of("before", "a name that is longer than the others");
        List<RunResult> results = List.of(RunResult.of(SampleReports.report(3)), RunResult.of(SampleReports.report(5)));

        assertThat(lookAt(new Comparison(names, results).page().toHtml(), width))
                .contains("<title>overflow false; plots 2; broken words 0; first FIGURE</title>");
    }
}
