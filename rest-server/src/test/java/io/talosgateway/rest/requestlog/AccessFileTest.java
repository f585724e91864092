package io.talosgateway.rest.requestlog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.config.DataSize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AccessFileTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final InstantSource clock = () -> Instant.ofEpochMilli(1_600_000_000_123L);

    @TempDir
    Path directory;

    private AccessFile.Config config(int maxBytes, int maxFiles) {
        return new AccessFile.Config(directory.resolve("access.log"), new DataSize(maxBytes), maxFiles);
    }

    private static AccessLog.Entry entry(String target, String userAgent) {
        return new AccessLog.Entry(
                "req-7",
                "0af7651916cd43dd8448eb211c80319c",
                "rest",
                "127.0.0.1",
                "TG1",
                "GET",
                target,
                "getMessages",
                200,
                "ok",
                0,
                17,
                1.25,
                "gw-2",
                userAgent);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(directory.resolve("access.log"));
    }

    @Test
    void entryIsALineWithAllFields() throws Exception {
        try (AccessFile access = new AccessFile(config(1 << 20, 2), clock).start()) {
            access.add(entry("/v1/topics", "curl/8"));
        }

        assertThat(lines())
                .containsExactly("{\"time\":\"2020-09-13T12:26:40.123Z\",\"requestId\":\"req-7\","
                        + "\"traceId\":\"0af7651916cd43dd8448eb211c80319c\",\"interface\":\"rest\",\"address\":\"127.0.0.1\","
                        + "\"key\":\"TG1\",\"method\":\"GET\",\"target\":\"/v1/topics\",\"operation\":\"getMessages\","
                        + "\"status\":200,\"outcome\":\"ok\",\"bytesIn\":0,\"bytesOut\":17,\"durationMs\":1.25,"
                        + "\"owner\":\"gw-2\",\"userAgent\":\"curl/8\"}");
    }

    @Test
    void whateverAClientSendsIsOneLineOfAscii() throws Exception {
        String hostile = "a\r\n{\"forged\":true}\u001b[2J\u009b2J\u2028\u0000\"\\\ud800h\u00e4";
        try (AccessFile access = new AccessFile(config(1 << 20, 2), clock).start()) {
            access.add(entry(hostile, hostile));
        }

        assertThat(lines()).singleElement().satisfies(line -> {
            assertThat(line).matches("[ -~]+");
            JsonNode json = JSON.readTree(line);
            assertThat(json.get("target").asText()).isEqualTo(hostile);
            assertThat(json.get("userAgent").asText()).isEqualTo(hostile);
        });
    }

    @Test
    void filesAreBoundedInSizeAndNumber() throws Exception {
        for (int request = 0; request < 30; request++) {
            try (AccessFile access = new AccessFile(config(1024, 3), clock).start()) {
                access.add(entry("/" + request, null));
            }
        }

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files)
                    .hasSize(3)
                    .allSatisfy(file -> assertThat(Files.size(file)).isLessThanOrEqualTo(1024));
        }
        assertThat(lines().get(lines().size() - 1)).contains("\"/29\"");
    }

    /** A thread that is not started stands for a disk that does not answer. */
    @Test
    void linesThatComeTooFastAreDroppedAndCounted() {
        AccessFile access = new AccessFile(config(1 << 20, 2), clock);

        for (int request = 0; request < LineFile.MAX_WAITING + 7; request++) {
            access.add(entry("/", null));
        }

        assertThat(access.lost()).isEqualTo(7);
    }

    @Test
    void linesOfAFileThatCannotBeWrittenAreCounted() throws Exception {
        Files.writeString(directory.resolve("access.log"), "x".repeat(1_000));
        // The file has to be renamed before there is room; a directory that is not empty is in the way.
        Files.createDirectories(directory.resolve("access.log.1/in-the-way"));
        AccessFile access = new AccessFile(config(1_024, 2), clock).start();

        try (access) {
            access.add(entry("/", null));
        }

        assertThat(access.lost()).isEqualTo(1);
    }

    @Test
    void fileThatCannotBeWrittenStopsTheStart() throws Exception {
        Files.createDirectory(directory.resolve("access.log"));

        assertThatThrownBy(() -> new AccessFile(config(1024, 2), clock).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("access.file");
    }
}
