package io.talosgateway.loadgen.nullserver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.CommandResult;
import io.talosgateway.loadgen.report.StoredRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The null server, and the whole generator against it. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class NullServerTest {

    @TempDir
    private Path directory;

    private StoredRun run(NullServer server, String... options) {
        Path folder = directory.resolve("out");
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--endpoint",
                "http://127.0.0.1:" + server.port(),
                "--out",
                folder.toString(),
                "--warmup",
                "100ms",
                "--duration",
                "500ms"));
        arguments.addAll(List.of(options));
        CommandResult result = CommandResult.of(arguments.toArray(String[]::new));
        assertThat(result.err()).doesNotContain("talos-loadgen:");
        assertThat(result.status()).isZero();
        return StoredRun.read(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--put-threads 4 --get-threads 2 --size 4B",
                "--put-threads 4 --get-threads 2 --size 1KiB-300KiB",
                "--pending 20 --get-pending 5 --io-threads 2",
                "--pending 5 --size 300KiB",
                "--pending 50 --put-rate 1000",
                "--pending 10 --format thrift --batch 5 --size 100B --compression lz4",
                "--put-threads 4 --format ndjson --batch 5 --size 100B --compression gzip --keys 7"
            })
    void everyRequestIsAnswered(String options) throws Exception {
        try (NullServer server = new NullServer(0, 2, 500_000)) {
            StoredRun report = run(server, options.split(" "));

            assertThat(report.put().count()).isPositive();
            assertThat(report.put().errors()).isZero();
            assertThat(report.put().messages())
                    .isEqualTo(report.put().count() * report.load().batch());
            if (report.get() != null) {
                assertThat(report.get().errors()).isZero();
                assertThat(report.get().messages())
                        .isEqualTo(report.get().count())
                        .isPositive();
                assertThat(report.get().bytesPerSecond() / report.get().perSecond())
                        .isBetween(499_000.0, 501_000.0);
            }
        }
    }

    @Test
    void openLoopOfPendingRequestsDoesNotExceedItsRate() throws Exception {
        try (NullServer server = new NullServer(0, 1, 10)) {
            StoredRun report = run(server, "--pending", "20", "--put-rate", "400", "--size", "10B");

            // 200 are due in the half second.
            assertThat(report.put().count()).isBetween(1L, 200L);
            assertThat(report.load().ioThreads()).isEqualTo(1);
            assertThat(report.putThreads()).isEqualTo(20);
        }
    }

    @Test
    void idleConnectionsArePutApartFromTheLoad() throws Exception {
        try (NullServer server = new NullServer(0, 1, 10)) {
            StoredRun report = run(
                    server,
                    "--put-threads",
                    "1",
                    "--put-rate",
                    "20",
                    "--idle-connections",
                    "50",
                    "--idle-interval",
                    "200ms");

            // Twenty a second for half a second; three rounds of fifty in the 600 ms with the warm-up.
            assertThat(report.put().count()).isBetween(1L, 11L);
            assertThat(report.idle().connections()).isEqualTo(50);
            assertThat(report.idle().answered()).isBetween(1L, 150L);
            assertThat(report.idle().failed()).isZero();
        }
    }

    @Test
    void requestIsTakenInWhateverPiecesItComes() throws Exception {
        byte[] bytes =
                "POST /x HTTP/1.1\r\nHost: h\r\nCONTENT-LENGTH: 5\r\n\r\nhello".getBytes(StandardCharsets.US_ASCII);
        NullRequest request = new NullRequest();

        for (int round = 0; round < 2; round++) {
            for (int index = 0; index < bytes.length; index++) {
                assertThat(request.take(ByteBuffer.wrap(bytes, index, 1))).isEqualTo(index == bytes.length - 1);
            }
            assertThat(request.firstLine()).isEqualTo("POST /x HTTP/1.1");
            request.reset();
        }
    }

    @Test
    void commandSaysWhereItAnswersAndEnds() {
        CommandResult result = CommandResult.of("null-server", "--port", "0", "--duration", "1ms");

        assertThat(result.status()).isZero();
        assertThat(result.out()).matches("The null server serves at http://127\\.0\\.0\\.1:\\d+\n");
        assertThat(CommandResult.of("null-server", "--io-threads", "0").err())
                .isEqualTo("talos-loadgen: --io-threads must be 1 to 256\n");
    }

    @Test
    void portThatIsTakenIsSaidInOneLine() throws Exception {
        try (NullServer server = new NullServer(0, 1, 10)) {
            assertThat(CommandResult.of("null-server", "--port", Integer.toString(server.port()))
                            .err())
                    .startsWith("talos-loadgen: The null server cannot listen on port " + server.port() + ": ")
                    .hasLineCount(1);
        }
    }
}
