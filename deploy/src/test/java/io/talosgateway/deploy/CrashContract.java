package io.talosgateway.deploy;

import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.verifier.Fault;
import io.talosgateway.verifier.FaultKind;
import io.talosgateway.verifier.VerifiedCluster;
import io.talosgateway.verifier.VerifyPlan;
import io.talosgateway.verifier.VerifyReport;
import io.talosgateway.verifier.VerifyRun;
import io.talosgateway.verifier.VerifyText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills a gateway again and again while it is put to, and has the verifier check whether every promise that its answers made is
 * kept.
 *
 * <p>{@code -Dcrash.kills} says how often it is killed, {@code -Dcrash.seed} repeats the messages and the pauses between
 * the kills of a run.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
abstract class CrashContract extends StorageContract {

    private static final int KILLS = Integer.getInteger("crash.kills", 3);
    private static final long SEED = Long.getLong("crash.seed", 1);
    private static final String HOST = "gateway-1";
    private static final int MAX_LOAD_MS = 2_500;
    private static final int MAX_SERVING_MS = 300;
    private static final int MAX_STARTING_MS = 1_500;
    private static final long MEMORY_BYTES = 64 << 20;

    private final Random random = new Random(SEED);
    private VerifyRun run;
    private int kills;

    /** Small files, so that kills meet their ends and beginnings; little memory, so that readers read files, too. */
    @Override
    Map<String, String> settings() {
        return Map.of("journal.file-size", "256KiB", "journal.tail-cache-size", "256KiB");
    }

    @Test
    void everyAnswerIsTrueWhateverMomentTheGatewayIsKilledAt() throws Exception {
        String repeat = "-Dcrash.seed=%d -Dcrash.kills=%d".formatted(SEED, KILLS);
        run = new VerifyRun(
                plan(),
                new VerifiedCluster(
                        (command, host, arguments) -> obey(command),
                        false,
                        List.of(new VerifiedCluster.Gateway(
                                HOST,
                                new Endpoint(URI.create(gateway().endpoint())),
                                new Endpoint(URI.create(
                                        "http://127.0.0.1:" + gateway().opsPort())))),
                        List.of(),
                        new Credentials(gateway().key().id(), gateway().key().secret())),
                () -> Fault.kill(HOST, Duration.ofMillis(random.nextInt(MAX_SERVING_MS))),
                Progress.to(new PrintWriter(System.out, true, StandardCharsets.UTF_8)),
                System.currentTimeMillis(),
                MEMORY_BYTES);

        VerifyReport report = run.run();

        assertThat(report.isGood())
                .as("%s; logs and data are kept in %s%n%s", repeat, gateway().directory(), VerifyText.of(report))
                .isTrue();
        assertThat(report.failure()).as(repeat).isNull();
        assertThat(kills).as(repeat).isEqualTo(KILLS);
        System.out.println(VerifyText.of(report));
    }

    /** With a tolerance of many seconds: a loaded machine may be slow, and this is about what is stored. */
    private static VerifyPlan plan() {
        return VerifyPlan.of(
                "--duration=" + (120 + 30L * KILLS) + "s",
                "--size=16KiB",
                "--put-rate=250",
                "--tolerance=30s",
                "--faults=kill",
                "--fault-every=1s",
                "--seed=" + SEED);
    }

    private void obey(String command) throws InterruptedException {
        try {
            if (command.equals(FaultKind.KILL.command())) {
                gateway()
                        .runFor(Duration.ofMillis(
                                random.nextInt(random.nextInt(4) == 0 ? MAX_SERVING_MS : MAX_LOAD_MS)));
                gateway().kill();
                return;
            }
            if (random.nextInt(4) == 0) {
                gateway().launch();
                gateway().runFor(Duration.ofMillis(random.nextInt(MAX_STARTING_MS)));
                gateway().kill();
            }
            gateway().start();
            kills++;
            if (kills == KILLS) {
                run.interrupt();
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | AssertionError e) {
            throw new LoadFailure("The gateway could not be killed or started: " + e.getMessage(), e);
        }
    }
}
