package io.talosgateway.loadgen;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.report.StoredRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code talos-loadgen run} against a server that answers as told. */
final class RunCommandTest {

    @TempDir
    private Path directory;

    /** A short run with a few threads; the options go over what that means. */
    private CommandResult run(StubGateway gateway, String... options) {
        Map<String, String> all = new LinkedHashMap<>(
                Map.of("--partitions", "4", "--put-threads", "3", "--warmup", "50ms", "--duration", "200ms"));
        if (!List.of(options).contains("--json")) {
            all.put("--out", directory.resolve("out").toString());
        }
        for (int index = 0; index < options.length; index += 2) {
            all.put(options[index], options[index + 1]);
        }
        List<String> arguments = new ArrayList<>(List.of("run", "--endpoint", gateway.endpoint()));
        all.forEach((option, value) -> arguments.addAll(List.of(option, value)));
        return CommandResult.of(arguments.toArray(String[]::new));
    }

    /** A short run, or a longer one if the machine was too slow for anything to be counted. */
    private CommandResult runUntilAnswered(StubGateway gateway, String... options) {
        List<String> all = new ArrayList<>(List.of(options));
        CommandResult result = run(gateway, options);
        for (String duration : List.of("2s", "20s")) {
            if (result.status() == 0 && result.err().contains("The warm-up is over")) {
                break;
            }
            all.addAll(List.of("--duration", duration));
            result = run(gateway, all.toArray(String[]::new));
        }
        return result;
    }

    @Test
    void putsAreCountedTimedAndWrittenAsJson() throws Exception {
        try (StubGateway gateway = new StubGateway(
                (method, path) -> path.contains("/messages") ? StubGateway.json(200, "{}") : StubGateway.topic(4))) {
            Path file = directory.resolve("result.json");

            CommandResult result = runUntilAnswered(gateway, "--json", file.toString(), "--size", "100B");

            assertThat(result.err()).contains("The warm-up is over").doesNotContain("Made the topic");
            assertThat(result.status()).isZero();
            JsonNode put = new ObjectMapper().readTree(file.toFile()).path("put");
            assertThat(put.path("count").asLong()).isBetween(1L, gateway.puts.get());
            assertThat(put.path("errors").asLong()).isZero();
            assertThat(put.path("meanMs").asDouble()).isPositive();
            assertThat(put.path("bytesPerSecond").asDouble()
                            / put.path("perSecond").asDouble())
                    .isBetween(99.0, 101.0);
            assertThat(result.out()).containsPattern("\nput +3 +[\\d,]+ ").doesNotContainPattern("\nget +[\\d,]+ ");
        }
    }

    @Test
    void resultsGoToAFolderAndTheSumOfTheSecondsIsTheTotal() throws Exception {
        try (StubGateway gateway = new StubGateway(
                (method, path) -> path.contains("/messages") ? StubGateway.json(200, "{}") : StubGateway.topic(4))) {
            Path folder = directory.resolve("results/one");

            CommandResult result =
                    run(gateway, "--out", folder.toString(), "--put-rate", "300", "--duration", "1600ms");

            assertThat(result.status()).isZero();
            assertThat(result.out()).endsWith("Report: " + folder.resolve("report.html") + "\n");
            StoredRun report = StoredRun.read(folder);
            assertThat(report.put().count()).isPositive();
            assertThat(report.timeline()).isNotEmpty();
            assertThat(report.timeline().stream()
                            .mapToLong(second -> second.put().count())
                            .sum())
                    .isEqualTo(report.put().count());
            assertThat(report.environment().processors()).isPositive();
            assertThat(report.server()).isEmpty();
            assertThat(folder.resolve("report.html")).content().contains("Latency of puts over time");
        }
    }

    @Test
    void stallOfTheServerIsSeenInTheSecondsAndInTheReport() throws Exception {
        AtomicLong number = new AtomicLong();
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (!path.contains("/messages")) {
                return StubGateway.topic(4);
            }
            if (number.incrementAndGet() == 100) {
                new CountDownLatch(1).await(700, TimeUnit.MILLISECONDS);
            }
            return StubGateway.json(200, "{}");
        })) {
            StoredRun report = null;
            // Again if this program itself stalled at the end, and left out most of what was due.
            for (int attempt = 0; attempt < 3 && (report == null || report.put().count() <= 300); attempt++) {
                number.set(0);
                Path folder = directory.resolve("stall-" + attempt);
                run(gateway, "--out", folder.toString(), "--put-rate", "200", "--put-threads", "1", "--duration", "2s");
                report = StoredRun.read(folder);
            }
            assertThat(report.put().count()).isGreaterThan(300);
            assertThat(report.put().maxMs()).isGreaterThan(650);
            // What was due in the stall waited, too, and says so: not one slow put, but a hundred.
            assertThat(report.put().p90Ms()).isGreaterThan(100);
            assertThat(report.timeline())
                    .anySatisfy(second -> assertThat(second.put().maxMs()).isGreaterThan(650));
        }
    }

    @Test
    void gatewaysMetricsGoIntoTheResults() throws Exception {
        AtomicLong looks = new AtomicLong();
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (path.equals("/metrics")) {
                long look = looks.incrementAndGet();
                return StubGateway.json(200, """
                        talos_requests_in_flight 1.0
                        talos_request_seconds_count{class="put",} %d
                        talos_request_seconds_sum{class="put",} %d.0
                        talos_put_storage_seconds_count %d
                        talos_put_storage_seconds_sum %d.5
                        """.formatted(look, look, look, look / 2));
            }
            return path.contains("/messages") ? StubGateway.json(200, "{}") : StubGateway.topic(4);
        })) {
            Path folder = directory.resolve("ops");

            CommandResult result = run(
                    gateway,
                    "--out",
                    folder.toString(),
                    "--ops",
                    gateway.endpoint(),
                    "--put-rate",
                    "300",
                    "--duration",
                    "3s");

            assertThat(result.status()).isZero();
            StoredRun report = StoredRun.read(folder);
            assertThat(report.server())
                    .isNotEmpty()
                    .allSatisfy(second -> assertThat(second).containsEntry("putMs", 1000.0));
            assertThat(folder.resolve("report.html")).content().contains("Storage share");
        }
    }

    @Test
    void placeWithoutMetricsIsFoundBeforeTheLoad() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.topic(4))) {
            CommandResult result = run(gateway, "--ops", gateway.endpoint());

            assertThat(result)
                    .isEqualTo(new CommandResult(
                            1,
                            "",
                            "talos-loadgen: --ops: %s/metrics does not show the metrics of a gateway\n"
                                    .formatted(gateway.endpoint())));
            assertThat(gateway.puts).hasValue(0);
        }
    }

    @Test
    void presetIsForWhatIsNotSaid() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (!path.contains("/messages")) {
                return StubGateway.topic(8);
            }
            return new StubGateway.Answer(200, "{}", path.contains("offset") ? 5 : -1);
        })) {
            CommandResult result = CommandResult.of(
                    "run",
                    "--preset",
                    "smoke",
                    "--endpoint",
                    gateway.endpoint(),
                    "--warmup",
                    "0ms",
                    "--duration",
                    "3s",
                    "--put-threads",
                    "3",
                    "--out",
                    directory.resolve("smoke").toString());

            assertThat(result.err()).doesNotContain("talos-loadgen:");
            assertThat(gateway.topicRequests).contains("GET /v1/topics/smoke");
            StoredRun report = StoredRun.read(directory.resolve("smoke"));
            assertThat(report.putThreads()).isEqualTo(3);
            assertThat(report.getThreads()).isEqualTo(8);
            assertThat(report.partitions()).isEqualTo(8);
            assertThat(report.sizeBytes()).isEqualTo(1024);
        }
    }

    @Test
    void runThatCannotBeginLeavesNoFolder() throws Exception {
        try (StubGateway gateway =
                new StubGateway((method, path) -> StubGateway.problem(401, "unauthenticated", "This needs a key."))) {
            run(gateway, "--out", directory.resolve("none").toString());

            assertThat(directory.resolve("none")).doesNotExist();
        }
    }

    @Test
    void topicThatIsNotThereIsMade() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (path.contains("/messages")) {
                return StubGateway.json(200, "{}");
            }
            return method.equals("GET")
                    ? StubGateway.problem(404, "topic-not-found", "There is no topic.")
                    : StubGateway.topic(4);
        })) {
            CommandResult result = run(gateway, "--put-rate", "300", "--duration", "3s");

            assertThat(result.status()).isZero();
            assertThat(result.err()).startsWith("Made the topic loadgen with 4 partitions\n");
            assertThat(gateway.topicRequests).containsExactly("GET /v1/topics/loadgen", "POST /v1/topics");
        }
    }

    @Test
    void topicWithTooFewPartitionsIsRefused() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.topic(3))) {
            assertThat(run(gateway))
                    .isEqualTo(new CommandResult(
                            1,
                            "",
                            "talos-loadgen: The topic 'loadgen' has 3 partitions, and the load is for 4. Name another "
                                    + "topic, or use fewer with --partitions.\n"));
            assertThat(gateway.puts).hasValue(0);
        }
    }

    @Test
    void missingKeyIsSaidInOneLine() throws Exception {
        try (StubGateway gateway =
                new StubGateway((method, path) -> StubGateway.problem(401, "unauthenticated", "This needs a key."))) {
            CommandResult result = run(gateway);

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .startsWith("talos-loadgen: This needs a key.")
                    .hasLineCount(1);
        }
    }

    @Test
    void nobodyAtTheEndpointIsSaidInOneLine() throws Exception {
        // It is held, so that no other program can have it, and nobody listens.
        try (Socket held = new Socket()) {
            held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            String endpoint = "http://127.0.0.1:" + held.getLocalPort();

            CommandResult asked = CommandResult.of("run", "--endpoint", endpoint);
            assertThat(asked.status()).isEqualTo(1);
            assertThat(asked.err())
                    .isEqualTo("talos-loadgen: No gateway answers at %s. Is it running, and is the address right?\n"
                            .formatted(endpoint));
            CommandResult notAsked = CommandResult.of("run", "--endpoint", endpoint, "--no-create");
            assertThat(notAsked.status()).isEqualTo(1);
            assertThat(notAsked.err())
                    .startsWith("talos-loadgen: Nothing answers at " + endpoint)
                    .hasLineCount(1);
        }
    }

    @Test
    void refusalEndsTheRunAtOnce() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> path.contains("/messages")
                ? StubGateway.problem(403, "permission-denied", "Not yours.")
                : StubGateway.topic(4))) {
            CommandResult result = run(gateway, "--duration", "10m");

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err())
                    .endsWith("talos-loadgen: The gateway refuses: Not yours. (403 permission-denied)\n");
            assertThat(gateway.puts.get()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void busyGatewayIsCountedByCodeAndNotHammered() throws Exception {
        AtomicLong number = new AtomicLong();
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (!path.contains("/messages")) {
                return StubGateway.topic(4);
            }
            return number.incrementAndGet() <= 3
                    ? StubGateway.problem(503, "overloaded", "Too much.")
                    : StubGateway.json(200, "{}");
        })) {
            CommandResult result = run(gateway, "--duration", "3s");

            assertThat(result.status()).isZero();
            assertThat(result.out()).containsPattern("put +3  503 overloaded  Too much\\.\n");
        }
    }

    @Test
    void openLoopOffersItsRateWhateverIsAnswered() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> path.contains("/messages")
                ? StubGateway.problem(503, "overloaded", "Too much.")
                : StubGateway.topic(4))) {
            CommandResult result = run(gateway, "--put-threads", "8", "--put-rate", "100", "--duration", "3s");

            assertThat(result.err()).contains("No request was answered");
            // What was due in the warm-up, 50 ms, and after it.
            assertThat(gateway.puts.get()).isBetween(1L, 305L);
        }
    }

    @Test
    void runInWhichEverythingFailsFails() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> path.contains("/messages")
                ? StubGateway.problem(503, "storage-unavailable", "Gone.")
                : StubGateway.topic(4))) {
            CommandResult result = run(gateway);

            assertThat(result.status()).isEqualTo(1);
            assertThat(result.err()).contains("talos-loadgen: No request was answered");
            assertThat(gateway.puts.get()).isLessThan(30);
        }
    }

    @Test
    void clientsGoThroughThePartitionsOfOneTopicAfterAnother() throws Exception {
        Set<String> paths = ConcurrentHashMap.newKeySet();
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (!path.contains("/messages")) {
                return StubGateway.topic(4);
            }
            paths.add(path);
            return StubGateway.json(200, "{}");
        })) {
            Path folder = directory.resolve("topics");

            CommandResult result = run(
                    gateway,
                    "--out",
                    folder.toString(),
                    "--topic",
                    "one,two",
                    "--put-threads",
                    "6",
                    "--put-rate",
                    "80",
                    "--duration",
                    "3s");

            assertThat(result.err()).contains("The warm-up is over").doesNotContain("talos-loadgen:");
            assertThat(result.status()).isZero();
            assertThat(paths)
                    .containsExactlyInAnyOrder(
                            "/v1/topics/one/partitions/0/messages",
                            "/v1/topics/one/partitions/1/messages",
                            "/v1/topics/one/partitions/2/messages",
                            "/v1/topics/one/partitions/3/messages",
                            "/v1/topics/two/partitions/0/messages",
                            "/v1/topics/two/partitions/1/messages");
            StoredRun report = StoredRun.read(folder);
            assertThat(report.put().count()).isBetween(1L, Math.min(240, gateway.puts.get()));
            // On a machine that stalls, some have no connection until after the end.
            assertThat(report.put().errorsByKind())
                    .extracting(Tally.ErrorCount::code)
                    .isSubsetOf("not-sent");
            assertThat(report.putThreads()).isEqualTo(6);
            assertThat(report.generator().cpuSeconds()).isPositive();
            assertThat(report.timeline().stream()
                            .mapToLong(second -> second.put().count())
                            .sum())
                    .isEqualTo(report.put().count());
        }
    }

    @Test
    void readersFollowTheEndAndCountMessagesByOffset() throws Exception {
        AtomicLong end = new AtomicLong(40);
        try (StubGateway gateway = new StubGateway((method, path) -> {
            if (!path.contains("/messages")) {
                return StubGateway.topic(4);
            }
            return new StubGateway.Answer(200, "{}", path.contains("latest") ? end.get() : end.addAndGet(2));
        })) {
            Path file = directory.resolve("result.json");

            CommandResult result =
                    runUntilAnswered(gateway, "--put-threads", "0", "--get-threads", "1", "--json", file.toString());

            assertThat(result.err()).doesNotContain("talos-loadgen:");
            JsonNode get = new ObjectMapper().readTree(file.toFile()).path("get");
            assertThat(get.path("count").asLong()).isPositive();
            assertThat(get.path("messages").asLong())
                    .isEqualTo(2 * get.path("count").asLong());
            assertThat(get.path("empty").asLong()).isZero();
        }
    }

    @Test
    void topicIsNotLookedForIfTheUserSaysSo() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.json(200, ""))) {
            CommandResult result = CommandResult.of(
                    "run",
                    "--no-create",
                    "--endpoint",
                    gateway.endpoint(),
                    "--warmup",
                    "0ms",
                    "--duration",
                    "3s",
                    "--put-rate",
                    "300",
                    "--put-threads",
                    "1",
                    "--get-threads",
                    "0",
                    "--out",
                    directory.resolve("out").toString());

            assertThat(result.status()).isZero();
            assertThat(gateway.topicRequests).isEmpty();
        }
    }

    @Test
    void resultFileThatCannotBeWrittenIsFoundBeforeTheLoad() throws Exception {
        try (StubGateway gateway = new StubGateway((method, path) -> StubGateway.topic(4))) {
            Path file = directory.resolve("none").resolve("result.json");

            CommandResult result = run(gateway, "--json", file.toString());

            assertThat(result.err()).isEqualTo("talos-loadgen: --json: cannot write to " + file + "\n");
            assertThat(gateway.topicRequests).isEmpty();
            assertThat(Files.exists(file)).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--size,10KB,Invalid value for option '--size': '10KB' is not a size",
        "--size,0,Invalid value for option '--size': a message has at least 1B",
        "'--size','1KiB,5KiB:2',Invalid value for option '--size': '1KiB' has no weight",
        "--format,xml,Invalid value for option '--format'",
        "--warmup,5,Invalid value for option '--warmup': '5' is not a duration",
        "--idempotency-keys,yes,Invalid value for option '--idempotency-keys'",
        "--threads,5,Unknown options: '--threads'"
    })
    void wrongUsageIsExplained(String option, String value, String line) {
        CommandResult result = CommandResult.of("run", option, value);

        assertThat(result.status()).isEqualTo(2);
        assertThat(result.err()).startsWith("talos-loadgen: " + line);
    }

    @ParameterizedTest
    @CsvSource({
        "--endpoint,ftp://gateway:8443,'ftp://gateway:8443' is not an address like http://host:8080",
        "--tls-ca,/nowhere/ca.pem,--tls-ca: there is no file /nowhere/ca.pem",
        "--topic,a/b,'a/b' is not a topic's name",
        "--partitions,0,--partitions must be at least 1",
        "--put-threads,0,There is nothing to do",
        "--io-threads,2,--io-threads is for pending requests",
        "--put-rate,0,--put-rate must be more than 0",
        "--get-rate,5,--get-rate is for nobody: --get-threads is 0",
        "'--topic','a,a',--topic names a topic twice",
        "--batch,5,--format raw sends one message in a request; for --batch use json",
        "--compression,lz4,--compression lz4 does not exist for --format raw: only thrift has it"
    })
    void loadThatMakesNoSenseIsRefused(String option, String value, String line) {
        CommandResult result = CommandResult.of("run", option, value);

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).startsWith("talos-loadgen: " + line).hasLineCount(1);
    }

    @Test
    void helpTeaches() {
        assertThat(CommandResult.of("--help").out())
                .startsWith("Usage: talos-loadgen")
                .contains("First steps");
        assertThat(CommandResult.of("run", "--help").out())
                .contains("closed loop", "Examples:", "Exit status:", "TALOS_KEY");
    }
}
