package io.talosgateway.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that puts 500 messages of 1 KiB a second, alone and beside {@link Attackers}. Prints its latencies, what the attackers
 * were told, and their part of the machine. {@code -Dattack.seconds=60}: how long each part takes; {@code -Dattack.rounds=3}: how often all are
 * taken, as a part that met a stall of the machine says nothing; {@code -Dattack.only=REGEX}: some attacks.
 */
@Tag("by-hand")
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class AttackersIT {

    private static final String TOPIC = "victim";
    private static final long SECONDS = Long.getLong("attack.seconds", 60);
    private static final int ROUNDS = Integer.getInteger("attack.rounds", 1);
    /** The client's program starts and makes its topic first. */
    private static final long START_SECONDS = 15;

    @TempDir
    private Path directory;

    private final Map<String, List<Double>> p99Ms = new LinkedHashMap<>();
    private GatewayProcess gateway;
    private QuietClient client;

    /** Part of the processors' time in percent, of the machine. */
    private record Part(String what, ProcessHandle process, long cpuNanos, long atNanos) {

        static Part begin(String what, ProcessHandle process) {
            return new Part(what, process, cpu(process), System.nanoTime());
        }

        private static long cpu(ProcessHandle process) {
            return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
        }

        String end() {
            double all = (double) (System.nanoTime() - atNanos)
                    * Runtime.getRuntime().availableProcessors();
            return "%s %.0f %%".formatted(what, 100 * (cpu(process) - cpuNanos) / all);
        }
    }

    @Test
    void putsSucceedBesideAttackers() throws Exception {
        Path data = Files.createDirectory(directory.resolve("data"));
        gateway = GatewayProcess.notStarted(data, Map.of());
        try {
            assertThat(gateway.tryStart("-Xmx2g")).isTrue();
            client = new QuietClient(gateway, directory, TOPIC);
            AccessKey mallory = KeyFile.create(data.resolve("keys.json"), "mallory", false, InstantSource.system());
            String key = mallory.id() + ":" + mallory.secret();
            // The code that attacks reach is compiled, too: a gateway that is attacked is seldom a new one.
            puts("warm-up", "none", key);
            for (int round = 0; round < ROUNDS; round++) {
                puts("alone");
                puts("no key", "none");
                puts("alone");
                puts("foreign key", key);
                puts("alone");
                puts("both", "none", key);
            }
            puts("alone");
            p99Ms.forEach((part, values) -> System.out.printf(
                    "%s: P99 %.1f ms, the median of %s%n",
                    part, values.stream().sorted().toList().get(values.size() / 2), values));

            while (gateway.metric("talos_requests_in_flight") + gateway.metric("talos_bytes_in_flight") > 0) {
                Thread.onSpinWait();
            }
            assertThat(gateway.stop()).isEqualTo(143);
            assertThat(gateway.log()).doesNotContain("\tat ");
        } finally {
            gateway.close();
        }
    }

    private void puts(String name, String... attackers) throws Exception {
        List<Process> attacks = new ArrayList<>();
        Part ofGateway = Part.begin("gateway", ProcessHandle.of(gateway.pid()).orElseThrow());
        for (String key : attackers) {
            attacks.add(attack(key));
        }
        List<Part> parts = attacks.stream()
                .map(process -> Part.begin("attackers", process.toHandle()))
                .toList();
        try {
            JsonNode put = client.puts(SECONDS);
            System.out.printf(
                    "%s: %,.0f puts/s, P50 %.1f ms, P99 %.1f ms, most %.0f ms, %.0f errors; %s%n",
                    name,
                    put.path("perSecond").asDouble(),
                    put.path("p50Ms").asDouble(),
                    put.path("p99Ms").asDouble(),
                    put.path("maxMs").asDouble(),
                    put.path("errors").asDouble(),
                    ofGateway.end());
            parts.forEach(part -> System.out.println("  " + part.end()));
            p99Ms.computeIfAbsent(name, absent -> new ArrayList<>())
                    .add(put.path("p99Ms").asDouble());
            assertThat(put.path("errors").asLong()).isZero();
        } finally {
            for (Process process : attacks) {
                process.waitFor(120, TimeUnit.SECONDS);
                process.destroyForcibly();
            }
        }
        assertThat(gateway.isAlive()).isTrue();
    }

    /** Behind the client and the gateway where they share a processor: real attackers have machines of their own. */
    private Process attack(String key) throws IOException {
        return new ProcessBuilder(
                        "nice",
                        "-n",
                        "19",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Attackers.class.getName(),
                        gateway.endpoint().substring(gateway.endpoint().lastIndexOf(':') + 1),
                        Long.toString(START_SECONDS + SECONDS),
                        key,
                        TOPIC,
                        System.getProperty("attack.only", ".*"))
                .inheritIO()
                .start();
    }
}
