package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import io.talosgateway.client.QuotaLimits;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A {@link QuietClient} alone, beside another tenant that puts as fast as it can, and beside the same tenant once its quota lets it
 * put 200 messages a second: at the same gateway, and at one that the quiet one does not use, which tells what sharing the machine
 * costs. Prints the quiet one's latencies. {@code -Dtenant.seconds=30}: how long each part takes; {@code -Dtenant.rounds=3}: how
 * often all are taken.
 */
@Tag("by-hand")
@Timeout(value = 12, unit = TimeUnit.HOURS)
final class NoisyTenantIT {

    private static final String OWNER = "noisy";
    private static final int QUOTA = 200;
    private static final long SECONDS = Long.getLong("tenant.seconds", 30);
    private static final int ROUNDS = Integer.getInteger("tenant.rounds", 3);
    /** Until Java has compiled the noisy one's program; the quiet one's latencies do not count. */
    private static final long SETTLE_SECONDS = 15;
    /** The quiet one's program starts and warms up twice. */
    private static final long START_SECONDS = 90;

    @TempDir
    private Path directory;

    private final Map<String, List<Double>> p99Ms = new LinkedHashMap<>();
    private QuietClient quiet;
    private int runs;

    /** The noisy tenant at one of the gateways, where its key is {@code ID:SECRET}. */
    private record Tenant(GatewayProcess gateway, String key) {

        static Tenant of(GatewayProcess gateway) throws Exception {
            AccessKey key =
                    KeyFile.create(gateway.directory().resolve("keys.json"), OWNER, false, InstantSource.system());
            return new Tenant(gateway, key.id() + ":" + key.secret());
        }

        void limit(QuotaLimits limits) throws Exception {
            gateway.client().build().setOwnerQuota(OWNER, limits).get();
        }
    }

    private GatewayProcess start(String name) throws Exception {
        GatewayProcess gateway = GatewayProcess.notStarted(Files.createDirectory(directory.resolve(name)), Map.of());
        assertThat(gateway.tryStart("-Xmx2g")).isTrue();
        return gateway;
    }

    @Test
    void quotaKeepsANoisyTenantFromSlowingAQuietOne() throws Exception {
        try (GatewayProcess shared = start("shared");
                GatewayProcess other = start("other")) {
            quiet = new QuietClient(shared, directory, "quiet");
            Tenant noisy = Tenant.of(shared);
            Tenant elsewhere = Tenant.of(other);
            QuotaLimits limits = new QuotaLimits(null, null, null, QUOTA, null, null, null);
            puts("warm-up", noisy);
            puts("warm-up", elsewhere);
            elsewhere.limit(limits);
            for (int round = 0; round < ROUNDS; round++) {
                noisy.limit(QuotaLimits.NONE);
                puts("alone", null);
                puts("noisy, no quota", noisy);
                puts("noisy at another gateway, with a quota", elsewhere);
                noisy.limit(limits);
                puts("noisy, with a quota", noisy);
            }
            p99Ms.forEach((part, values) -> System.out.printf(
                    "%s: P99 %.1f ms, the median of %s%n",
                    part, values.stream().sorted().toList().get(values.size() / 2), values));
        }
    }

    private void puts(String part, @Nullable Tenant tenant) throws Exception {
        Process noisy = tenant == null ? null : noise(tenant);
        try {
            quiet.puts(SETTLE_SECONDS);
            JsonNode put = quiet.puts(SECONDS);
            System.out.printf(
                    "%s: %,.0f puts/s, P50 %.1f ms, P99 %.1f ms, most %.0f ms%n",
                    part,
                    put.path("perSecond").asDouble(),
                    put.path("p50Ms").asDouble(),
                    put.path("p99Ms").asDouble(),
                    put.path("maxMs").asDouble());
            p99Ms.computeIfAbsent(part, absent -> new ArrayList<>())
                    .add(put.path("p99Ms").asDouble());
            assertThat(put.path("errors").asLong()).as("of the quiet one").isZero();
            assertThat(noisy == null || noisy.isAlive())
                    .as("noisy all the time")
                    .isTrue();
        } finally {
            if (noisy != null) {
                noisy.destroy();
                noisy.waitFor(120, TimeUnit.SECONDS);
                noisy.destroyForcibly();
                System.out.println(Files.readString(output()));
            }
        }
    }

    private Path output() {
        return directory.resolve("noisy-" + runs + ".txt");
    }

    /** Behind the quiet one and the gateway where they share a processor: real tenants have machines of their own. */
    private Process noise(Tenant tenant) throws Exception {
        runs++;
        Process process = GatewayProcess.run(
                "talos-loadgen",
                output(),
                List.of(
                        "run",
                        "--endpoint",
                        tenant.gateway().endpoint(),
                        "--topic",
                        "noisy",
                        "--partitions",
                        "16",
                        "--put-threads",
                        "64",
                        "--size",
                        "1KiB",
                        "--duration",
                        (SETTLE_SECONDS + START_SECONDS + SECONDS) + "s",
                        "--out",
                        directory.resolve("report-" + runs).toString()),
                Map.of("TALOS_LOADGEN_JAVA_OPTS", "-Xmx256m", "TALOS_KEY", tenant.key()));
        new ProcessBuilder("renice", "-n", "19", "-p", Long.toString(process.pid()))
                .start()
                .waitFor();
        return process;
    }
}
