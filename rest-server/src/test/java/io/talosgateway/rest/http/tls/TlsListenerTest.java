package io.talosgateway.rest.http.tls;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import javax.net.ssl.SSLSession;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.rest.tls.TestCertificates.Issued;
import io.talosgateway.rest.tls.TlsProvider;
import org.eclipse.jetty.io.ArrayByteBufferPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** When a new certificate is taken, and what is said when it is not. */
final class TlsListenerTest {

    @TempDir
    static Path shared;

    private static Issued first;
    private static Issued second;

    @TempDir
    Path directory;

    private final CollectorRegistry registry = new CollectorRegistry();
    private final Logger logger = (Logger) LoggerFactory.getLogger(TlsListener.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private Instant now = Instant.now();
    private PemFiles files;
    private TlsListener listener;

    @BeforeAll
    static void issue() throws Exception {
        TestCertificates authority = new TestCertificates(shared, "authority");
        first = authority.issue("first", "EC", "-validity", "20");
        second = authority.issue("second", "EC", "-validity", "30");
    }

    @BeforeEach
    void open() throws Exception {
        lines.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(lines);
        files = first.write(directory.resolve("c.pem"), directory.resolve("k.pem"));
        listener = open(TlsProvider.JDK, registry);
    }

    private TlsListener open(TlsProvider provider, CollectorRegistry metrics) throws Exception {
        TlsListener opened = new TlsListener(
                new TlsConfig(0, files, provider, Duration.ofSeconds(1), Duration.ofSeconds(1), 8, null, null),
                () -> 0,
                () -> now,
                new TlsMetrics(metrics));
        opened.open();
        opened.connections().getSslContextFactory().start();
        return opened;
    }

    @AfterEach
    void stopListening() throws Exception {
        logger.detachAppender(lines);
        logger.setLevel(null);
        listener.connections().getSslContextFactory().stop();
    }

    private List<String> warnings() {
        List<String> texts =
                lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        lines.list.clear();
        return texts;
    }

    private double reloads(String outcome) {
        Double value =
                registry.getSampleValue("talos_tls_reloads_total", new String[] {"outcome"}, new String[] {outcome});
        return value == null ? 0 : value;
    }

    private void assertInUse(Issued issued) {
        assertThat(registry.getSampleValue("talos_tls_certificate_expiry_seconds"))
                .isEqualTo(
                        (double) issued.chain().get(0).getNotAfter().toInstant().getEpochSecond());
    }

    /** Else each record costs a look at all buffers that requests hold. */
    @ParameterizedTest
    @EnumSource
    void requestsAndRecordsHaveBuffersOfDifferentPools(TlsProvider provider) throws Exception {
        TlsListener other = open(provider, new CollectorRegistry());
        SSLSession session =
                other.connections().getSslContextFactory().newSSLEngine().getSession();
        ArrayByteBufferPool pools = new ArrayByteBufferPool();

        assertThat(TlsListener.REQUEST_BUFFER_BYTES).isGreaterThan(session.getApplicationBufferSize());
        for (boolean direct : new boolean[] {false, true}) {
            assertThat(pools.poolFor(TlsListener.REQUEST_BUFFER_BYTES, direct))
                    .isNotNull()
                    .isNotSameAs(pools.poolFor(session.getPacketBufferSize(), direct));
        }
        other.connections().getSslContextFactory().stop();
    }

    @Test
    void filesThatHaveNotChangedAreLeftAlone() {
        var context = listener.connections().getSslContextFactory().getSslContext();
        listener.look();

        assertThat(listener.connections().getSslContextFactory().getSslContext())
                .isSameAs(context);
        assertThat(reloads("taken")).isZero();
        assertInUse(first);
    }

    @Test
    void newCertificateIsTaken() throws Exception {
        var context = listener.connections().getSslContextFactory().getSslContext();
        second.write(files.certificate(), files.key());
        listener.look();

        assertThat(listener.connections().getSslContextFactory().getSslContext())
                .isNotSameAs(context);
        assertThat(reloads("taken")).isEqualTo(1);
        assertInUse(second);
        assertThat(warnings()).isEmpty();
    }

    @Test
    void keyThatComesAfterItsCertificateIsTakenWithIt() throws Exception {
        Files.writeString(files.certificate(), second.certificatePem());
        listener.look();
        assertInUse(first);
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith("The new certificate cannot be used, and the old one stays in use. The certificate in ")
                .contains(" is of another key");

        Files.writeString(files.key(), second.keyPem());
        listener.look();
        assertInUse(second);
    }

    @Test
    void badFileIsNamedOnceAndTheOldCertificateStays() throws Exception {
        var context = listener.connections().getSslContextFactory().getSslContext();
        Files.delete(files.key());
        listener.look();
        listener.look();
        assertThat(warnings())
                .containsExactly(
                        "The new certificate cannot be used, and the old one stays in use. There is no file %s."
                                .formatted(files.key()));
        assertThat(reloads("refused")).isEqualTo(1);

        Files.writeString(files.key(), "nonsense");
        listener.look();
        listener.look();
        assertThat(warnings()).hasSize(1);
        assertThat(reloads("refused")).isEqualTo(2);

        assertThat(listener.connections().getSslContextFactory().getSslContext())
                .isSameAs(context);
        assertInUse(first);
    }

    @Test
    void certificateThatHasExpiredIsNotTaken() throws Exception {
        now = now.plus(Duration.ofDays(31));
        second.write(files.certificate(), files.key());
        listener.look();

        assertInUse(first);
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("The certificate for 'CN=second' is valid from ")
                .endsWith(", and it is " + now + ".");
    }
}
