package io.talosgateway.rest.http.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.http.audit.AuditLog.Entry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AuditFileTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final AtomicLong nowMs = new AtomicLong(1_600_000_000_000L);
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs.get());

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("audit.log");
    }

    private static Entry entry(String target) {
        return new Entry("alice", "TG1", null, "127.0.0.1", "rest", "DELETE", "deleteTopic", target, "ok", null);
    }

    private static List<JsonNode> lines(Path file) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.map(AuditFileTest::parsed).toList();
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    @Test
    void entryIsALineThatOnlyItsOwnerCanRead() throws Exception {
        try (AuditFile audit = new AuditFile(file(), clock).start()) {
            audit.add(entry("/v1/topics/a\n{\"b\":1}"), true);
        }

        assertThat(lines(file())).singleElement().satisfies(line -> {
            assertThat(line.get("time").asText()).isEqualTo("2020-09-13T12:26:40Z");
            assertThat(line.get("principal").asText()).isEqualTo("alice");
            assertThat(line.get("key").asText()).isEqualTo("TG1");
            assertThat(line.get("target").asText()).isEqualTo("/v1/topics/a\n{\"b\":1}");
            assertThat(line.has("claimedKey")).isFalse();
            assertThat(line.has("notLogged")).isFalse();
        });
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-------");
    }

    @Test
    void fileIsGoneOnWithAfterARestart() throws Exception {
        for (int start = 0; start < 2; start++) {
            try (AuditFile audit = new AuditFile(file(), clock).start()) {
                audit.add(entry("t" + start), true);
            }
        }

        assertThat(lines(file()))
                .extracting(line -> line.get("target").asText())
                .containsExactly("t0", "t1");
    }

    @Test
    void filesAreBoundedInSizeAndNumberAndTheNewestStay() throws Exception {
        for (int start = 0; start < 2 * AuditFile.FILES; start++) {
            try (AuditFile audit = new AuditFile(file(), 100, clock).start()) {
                audit.add(entry("t" + start), true);
            }
        }

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(AuditFile.FILES);
        }
        assertThat(lines(file()))
                .extracting(line -> line.get("target").asText())
                .containsExactly("t19");
        assertThat(lines(directory.resolve("audit.log.9")))
                .extracting(line -> line.get("target").asText())
                .containsExactly("t10");
    }

    /** The file is full, and there is nothing to write. */
    @Test
    void noFileIsBegunAtTheEnd() throws Exception {
        try (AuditFile audit = new AuditFile(file(), 10, clock).start()) {
            audit.add(entry("last"), true);
            Await.asLongAs(() -> Files.size(file()) == 0);
        }

        assertThat(lines(file())).hasSize(1);
        assertThat(directory.resolve("audit.log.1")).doesNotExist();
    }

    @Test
    void requestsThatChangeNothingAreBoundedInASecondAndCounted() throws Exception {
        try (AuditFile audit = new AuditFile(file(), clock).start()) {
            for (int request = 0; request < AuditFile.OTHERS_PER_SECOND + 5; request++) {
                audit.add(entry("refused"), false);
                audit.add(entry("changed"), true);
            }
            nowMs.addAndGet(1_000);
            audit.add(entry("later"), false);
        }

        List<JsonNode> lines = lines(file());
        assertThat(lines.stream().filter(line -> line.get("target").asText().equals("changed")))
                .hasSize(AuditFile.OTHERS_PER_SECOND + 5);
        assertThat(lines.stream().filter(line -> line.get("target").asText().equals("refused")))
                .hasSize(AuditFile.OTHERS_PER_SECOND);
        assertThat(lines.get(lines.size() - 1).get("notLogged").asInt()).isEqualTo(5);
    }

    @Test
    void fileThatCannotBeWrittenStopsTheStart() throws Exception {
        Files.createDirectory(file());

        assertThatThrownBy(() -> new AuditFile(file(), clock).start())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("audit.file");
    }
}
