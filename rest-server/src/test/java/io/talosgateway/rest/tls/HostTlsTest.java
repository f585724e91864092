package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.tls.TestCertificates.Issued;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Which certificates a host shows and trusts, before and after its files are replaced. */
final class HostTlsTest {

    @TempDir
    static Path shared;

    private static TestCertificates authority;
    private static TestCertificates next;
    private static Issued first;
    private static Issued second;

    @TempDir
    Path directory;

    private Instant now = Instant.now();
    private PemFiles own;
    private Path trusted;
    private HostTls tls;

    @BeforeAll
    static void issue() throws Exception {
        authority = new TestCertificates(shared, "authority");
        next = new TestCertificates(shared, "next");
        first = authority.issue("first", "EC", "-validity", "20");
        second = next.issue("second", "EC", "-validity", "30");
    }

    @BeforeEach
    void write() throws Exception {
        trusted = directory.resolve("trusted.pem");
        Files.writeString(trusted, authority.certificatePem());
        own = first.write(directory.resolve("c.pem"), directory.resolve("k.pem"));
        tls = open();
    }

    private HostTls open() throws IOException {
        HostTls.Config config = new HostTls.Config(own, new TrustedCertificates(trusted), Duration.ofHours(1));
        return new HostTls(config, () -> now, new CertificateMetrics(new CollectorRegistry(), "talos_peer_tls"));
    }

    /** What the caller sees of the host that accepts; each hands the other what it has to say, until nobody has. */
    private static Certificate shakeHands(SSLEngine caller, SSLEngine owner) throws SSLException {
        caller.beginHandshake();
        owner.beginHandshake();
        ByteBuffer toOwner = ByteBuffer.allocate(1 << 16).limit(0);
        ByteBuffer toCaller = ByteBuffer.allocate(1 << 16).limit(0);
        while (step(caller, toCaller, toOwner) || step(owner, toOwner, toCaller)) {
            // Until both are silent.
        }
        assertThat(caller.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        assertThat(owner.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
        assertThat(caller.getSession().getProtocol()).isEqualTo("TLSv1.3");
        try {
            return owner.getSession().getPeerCertificates()[0];
        } catch (SSLException e) {
            throw new AssertionError("the caller has shown no certificate", e);
        }
    }

    /** Whether the engine wrote or read anything. */
    private static boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
        int waiting = in.remaining();
        if (in.hasRemaining()) {
            engine.unwrap(in, ByteBuffer.allocate(1 << 15));
        }
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
        out.compact();
        int written = 0;
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            written += engine.wrap(ByteBuffer.allocate(0), out).bytesProduced();
        }
        out.flip();
        return written > 0 || in.remaining() < waiting;
    }

    @Test
    void newCertificateAndNewAuthorityAreTakenForNewConnections() throws Exception {
        SSLEngine before = tls.connecting();
        assertThat(shakeHands(tls.connecting(), tls.accepting()))
                .isEqualTo(first.chain().get(0));

        second.write(own.certificate(), own.key());
        Files.writeString(trusted, next.certificatePem());
        tls.look();

        assertThat(shakeHands(tls.connecting(), tls.accepting()))
                .isEqualTo(second.chain().get(0));
        assertThatThrownBy(() -> shakeHands(before, tls.accepting())).isInstanceOf(SSLException.class);
    }

    @Test
    void badFilesChangeNothing() throws Exception {
        for (Path file : new Path[] {own.certificate(), own.key(), trusted}) {
            String good = Files.readString(file);
            Files.writeString(file, "nonsense");
            tls.look();
            assertThat(shakeHands(tls.connecting(), tls.accepting()))
                    .isEqualTo(first.chain().get(0));
            Files.writeString(file, good);
        }
    }

    @Test
    void filesThatCannotBeUsedStopTheStartByName() throws Exception {
        Files.writeString(trusted, "nonsense");
        assertThatThrownBy(() -> open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("There is no certificate in " + trusted);
        Files.delete(trusted);
        assertThatThrownBy(() -> open()).hasMessage("There is no file " + trusted + ".");
        Files.writeString(trusted, authority.certificatePem());
        now = now.plus(Duration.ofDays(21));
        assertThatThrownBy(() -> open())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Other hosts would refuse the certificate for 'CN=first'");
    }
}
