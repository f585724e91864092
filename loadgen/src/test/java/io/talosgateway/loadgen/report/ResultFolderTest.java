package io.talosgateway.loadgen.report;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.cli.LoadFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ResultFolderTest {

    @TempDir
    private Path directory;

    private Path write() {
        Path folder = directory.resolve("some/run");
        assertThat(ResultFolder.write(folder, SampleReports.report(3))).isEqualTo(folder.resolve("report.html"));
        return folder;
    }

    @Test
    void runHasAllItsFiles() throws Exception {
        try (Stream<Path> files = Files.list(write())) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("result.json", "report.html");
        }
    }

    @Test
    void namesInTheResultStayAsTheyAre() throws Exception {
        JsonNode result =
                new ObjectMapper().readTree(write().resolve("result.json").toFile());

        assertThat(names(result))
                .containsExactly(
                        "endpoint",
                        "topic",
                        "partitions",
                        "putThreads",
                        "getThreads",
                        "sizeBytes",
                        "idempotencyKeys",
                        "seed",
                        "warmupSeconds",
                        "seconds",
                        "interrupted",
                        "cpuMicrosPerRequest",
                        "put",
                        "get",
                        "format",
                        "startedAt",
                        "environment",
                        "timeline",
                        "gcPauses",
                        "server",
                        "load",
                        "generator");
        assertThat(names(result.path("load")))
                .containsExactly(
                        "topics", "getRate", "format", "batch", "compression", "sizes", "tls", "newConnections");
        assertThat(names(result.path("generator"))).containsExactly("cpuSeconds", "cpuCores");
        assertThat(names(result.path("put")))
                .containsExactly(
                        "count",
                        "perSecond",
                        "messages",
                        "messagesPerSecond",
                        "bytesPerSecond",
                        "empty",
                        "meanMs",
                        "p50Ms",
                        "p75Ms",
                        "p90Ms",
                        "p99Ms",
                        "p999Ms",
                        "maxMs",
                        "errors",
                        "refusedMeanMs",
                        "refusedP999Ms",
                        "refusedMaxMs",
                        "errorsByKind",
                        "distribution");
        JsonNode second = result.path("timeline").path(1);
        assertThat(names(second)).containsExactly("atSeconds", "seconds", "put", "get");
        assertThat(names(second.path("put")))
                .containsExactly(
                        "count",
                        "perSecond",
                        "messages",
                        "bytes",
                        "meanMs",
                        "p50Ms",
                        "p75Ms",
                        "p90Ms",
                        "p99Ms",
                        "p999Ms",
                        "maxMs",
                        "errors");
        assertThat(second.path("put").path("errors").path("503 overloaded").asLong())
                .isEqualTo(1);
        assertThat(names(result.path("gcPauses").path(0))).containsExactly("atSeconds", "ms", "collector", "cause");
        assertThat(result.path("put").path("distribution").path(0).isArray()).isTrue();
    }

    private static List<String> names(JsonNode object) {
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void resultSaysWhatWasAskedForAndWhatItTook() {
        JsonNode result = new ObjectMapper().valueToTree(SampleReports.report(3));

        assertThat(result.path("putThreads").asInt()).isEqualTo(8);
        assertThat(result.path("getThreads").asInt()).isEqualTo(2);
        assertThat(result.path("sizeBytes").asInt()).isEqualTo(1024);
        assertThat(result.path("cpuMicrosPerRequest").asDouble()).isEqualTo(2500);
        assertThat(result.path("load").path("getRate").asDouble()).isEqualTo(10);
        assertThat(result.path("load").path("tls").asBoolean()).isFalse();
        assertThat(result.path("generator").path("cpuSeconds").asDouble()).isEqualTo(1.5);
        assertThat(result.path("generator").path("cpuCores").asDouble()).isEqualTo(0.5);
    }

    @Test
    void folderWithFilesIsRefused() throws Exception {
        Files.writeString(directory.resolve("something"), "");

        assertThatThrownBy(() -> ResultFolder.check(directory))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining("is not empty");
    }

    @Test
    void fileWhereTheFolderShouldBeIsRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("something"), "");

        assertThatThrownBy(() -> ResultFolder.check(file.resolve("run")))
                .isInstanceOf(LoadFailure.class)
                .hasMessage("--out: cannot write to " + file.resolve("run"));
    }

    @Test
    void folderThatCanBeMadeIsNotMadeYet() {
        Path folder = directory.resolve("a/b");

        ResultFolder.check(folder);

        assertThat(directory.resolve("a")).doesNotExist();
    }
}
