package io.talosgateway.doctor;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.doctor.Finding.Level;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperProbe.Server;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** What checks make of what they see. */
final class ChecksTest {

    private static final long MIB = 1 << 20;
    private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");

    private final Findings findings = new Findings();

    private static GatewayConfig config(String... settings) {
        Map<String, String> values = new HashMap<>();
        for (int index = 0; index < settings.length; index += 2) {
            values.put(settings[index], settings[index + 1]);
        }
        return GatewayConfig.of(values);
    }

    private void assertFound(Level level, String text) {
        assertThat(findings.close()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(level);
            assertThat(finding.text()).contains(text);
            assertThat(finding.advice() == null).isEqualTo(level == Level.OK);
        });
    }

    @Test
    void clocksMayAgreeWhileTheAnswerWasOnItsWay() {
        ClockOffset.of(1_000, 4_500, 1, 5_000).tell("the clock", findings);
        assertFound(Level.OK, "The clock agrees with this host's to within 3.5 s");
    }

    @Test
    void clockThatIsAheadForSureIsAWarning() {
        ClockOffset.of(1_000, 5_000, 1, 2_000).tell("the clock", findings);
        assertFound(Level.WARN, "at least 3.0 s ahead of this host's");
    }

    @Test
    void clockThatIsFarBehindFails() {
        ClockOffset.of(100_000_000, 1_000, 1_000, 100_000_010).tell("the clock", findings);
        assertFound(Level.FAIL, "at least 27 h behind this host's");
    }

    @Test
    void stepOfTheOtherClockCountsForIt() {
        // 10:00:00.999 at most, asked at 10:00:02.9 or later.
        ClockOffset.of(2_900, 0, 1_000, 2_910).tell("the clock", findings);
        assertFound(Level.OK, "to within 2.9 s");
    }

    @Test
    void certificateIsJudgedByItsTimes() {
        Instant begin = NOW.minus(Duration.ofDays(60));
        CertificatesCheck.validity("A", begin, NOW.plus(Duration.ofDays(31)), NOW, findings);
        CertificatesCheck.validity("B", begin, NOW.plus(Duration.ofDays(29)), NOW, findings);
        CertificatesCheck.validity("C", begin, NOW.minusSeconds(1), NOW, findings);
        CertificatesCheck.validity("D", NOW.plusSeconds(1), NOW.plus(Duration.ofDays(90)), NOW, findings);

        assertThat(findings.close())
                .extracting(
                        Finding::level,
                        finding -> finding.text().substring(0, 16).strip())
                .containsExactly(
                        tuple(Level.OK, "A is valid until"),
                        tuple(Level.WARN, "B expires in 29"),
                        tuple(Level.FAIL, "C expired at 202"),
                        tuple(Level.FAIL, "D is valid from"));
    }

    @Test
    void memoryIsNoDisk() {
        DisksCheck disks = new DisksCheck(config(), () -> 0);
        disks.lookAtStore(Path.of("/data"), "tmpfs", Long.MAX_VALUE, true, findings);

        assertThat(findings.close()).extracting(Finding::level).containsExactly(Level.FAIL, Level.OK);
    }

    @Test
    void memoryWillDoWhereItWasAskedForOrHoldsNoMessages() {
        new DisksCheck(config("journal.durability", "memory"), () -> 0)
                .lookAtStore(Path.of("/data"), "tmpfs", Long.MAX_VALUE, true, findings);
        new DisksCheck(config(), () -> 0).lookAtStore(Path.of("/data"), "tmpfs", Long.MAX_VALUE, false, findings);

        assertThat(findings.close()).extracting(Finding::level).containsOnly(Level.OK);
    }

    @Test
    void roomIsComparedWithWhatTheGatewayRefusesAtAndWithOpenFiles() {
        DisksCheck disks = new DisksCheck(
                config("journal.min-free-size", "256MiB", "journal.lanes", "2", "journal.file-size", "256MiB"),
                () -> 0);
        disks.lookAtStore(Path.of("/a"), "ext4", 255 * MIB, true, findings);
        disks.lookAtStore(Path.of("/b"), "ext4", 1_279 * MIB, true, findings);
        disks.lookAtStore(Path.of("/c"), "ext4", 1_280 * MIB, true, findings);

        assertThat(findings.close()).extracting(Finding::level).containsExactly(Level.FAIL, Level.WARN, Level.OK);
    }

    @Test
    void fewerDataNodesThanCopiesFail() {
        HdfsCheck.lookAtDataNodes(2, 3, 1, findings);
        assertFound(Level.FAIL, "2 DataNodes are alive, but files have 3 copies");
    }

    @Test
    void oneCopyIsAWarning() {
        HdfsCheck.lookAtDataNodes(-1, 1, 1, findings);
        assertFound(Level.WARN, "the loss of one disk loses messages");
    }

    @Test
    void moreCopiesDemandedThanMadeFail() {
        HdfsCheck.lookAtDataNodes(-1, 2, 3, findings);
        assertFound(Level.FAIL, "all puts are refused");
    }

    @Test
    void heapIsComparedWithBuffers() {
        GatewayConfig config = config(
                "zookeeper.connect", "zk:2181",
                "zookeeper.allow-open-secret", "true",
                "admission.max-bytes-in-flight", "900MiB",
                "topic.max-topics", "5000",
                "topic.max-partitions-total", "40000");
        ConfigurationCheck.lookAtHeap(config, 512 * MIB, findings);
        assertFound(Level.WARN, "Buffers and caches may take");
    }

    @Test
    void heapIsComparedWithTopics() {
        GatewayConfig config = config("admission.max-bytes-in-flight", "1MiB", "journal.tail-cache-size", "1MiB");
        ConfigurationCheck.lookAtHeap(config, 900 * MIB, findings);
        assertFound(Level.WARN, "100000 topics and 300000 partitions are permitted");
    }

    @Test
    void serverOfManyThatIsDownIsAWarning() {
        ZooKeeperCheck.lookAtServers(
                List.of(new Server("a:2181", "leader", null), new Server("b:2181", null, "Connection refused")),
                findings);

        assertThat(findings.close())
                .extracting(Finding::level, Finding::text)
                .containsExactly(
                        tuple(Level.WARN, "The ZooKeeper server b:2181 does not answer (Connection refused)."),
                        tuple(Level.OK, "Servers of ZooKeeper: a:2181 leader."));
    }

    @Test
    void slowZooKeeperIsAWarning() {
        ZooKeeperCheck.lookAtLatency(51, findings);
        assertFound(Level.WARN, "51.0 ms");
    }
}
