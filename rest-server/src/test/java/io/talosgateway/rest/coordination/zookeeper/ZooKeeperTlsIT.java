package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;

import io.talosgateway.rest.HeldPort;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.rest.tls.TestCertificates.Issued;
import io.talosgateway.rest.tls.TrustedCertificates;
import org.apache.zookeeper.server.ZooKeeperServerMain;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A ZooKeeper server that speaks TLS only and asks for certificates, in a process of its own: its settings are those of a JVM. */
final class ZooKeeperTlsIT {

    @TempDir
    static Path directory;

    private static TestCertificates authority;
    private static Path trusted;
    private static Path own;
    private static HeldPort held;
    private static int port;
    private static Process server;

    @BeforeAll
    static void startServer() throws Exception {
        authority = new TestCertificates(directory, "authority");
        trusted = directory.resolve("trusted.pem");
        Files.writeString(trusted, authority.certificatePem());
        own = write("gateway", authority.issue("gateway", "EC"));
        Path ofServer = write("server", authority.issue("server", "EC"));
        held = new HeldPort();
        port = held.number();
        Path configuration = directory.resolve("zoo.cfg");
        Files.writeString(configuration, """
                dataDir=%s
                tickTime=500
                secureClientPort=%d
                secureClientPortAddress=127.0.0.1
                admin.enableServer=false
                serverCnxnFactory=org.apache.zookeeper.server.NettyServerCnxnFactory
                ssl.keyStore.location=%s
                ssl.keyStore.type=PEM
                ssl.trustStore.location=%s
                ssl.trustStore.type=PEM
                """.formatted(directory.resolve("data"), port, ofServer, trusted));
        server = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ZooKeeperServerMain.class.getName(),
                        configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("server.txt").toFile())
                .start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.destroyForcibly().waitFor();
        held.close();
    }

    /** A certificate with its chain and its key in one file. */
    private static Path write(String name, Issued issued) throws Exception {
        return Files.writeString(directory.resolve(name + "-both.pem"), issued.keyPem() + issued.certificatePem());
    }

    private static ZooKeeperCoordination open(Duration patience, @Nullable ZooKeeperTls tls) throws IOException {
        return ZooKeeperCoordination.open(
                new ZooKeeperConfig(
                        "127.0.0.1:" + port,
                        "/talos",
                        directory,
                        "hosts:of the tests",
                        GeneratedSecret.PROTECTED,
                        Duration.ofSeconds(10),
                        patience,
                        tls),
                System::nanoTime,
                InstantSource.system());
    }

    @Test
    void everythingGoesOverTls() throws Exception {
        ZooKeeperTls tls = new ZooKeeperTls(new TrustedCertificates(trusted), own, true);
        try (ZooKeeperCoordination coordination = open(Duration.ofSeconds(60), tls)) {
            String id = coordination.createClusterId();
            assertThat(coordination.clusterSecret()).hasSize(64);
            try (ZooKeeperCoordination other = open(Duration.ofSeconds(60), tls)) {
                assertThat(other.clusterId()).isEqualTo(id);
            }
        }

        assertRefused(null);
        assertRefused(new ZooKeeperTls(new TrustedCertificates(trusted), null, true));
        TestCertificates others = new TestCertificates(directory, "others");
        Path trustedByOthers = Files.writeString(directory.resolve("others.pem"), others.certificatePem());
        assertRefused(new ZooKeeperTls(new TrustedCertificates(trustedByOthers), own, true));
        Path foreign = write("foreign", others.issue("foreign", "EC"));
        assertRefused(new ZooKeeperTls(new TrustedCertificates(trusted), foreign, true));
    }

    private static void assertRefused(@Nullable ZooKeeperTls tls) {
        assertThatThrownBy(() -> open(Duration.ofSeconds(3), tls).close())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot reach ZooKeeper at 127.0.0.1:" + port)
                .hasMessageMatching(tls == null ? "[^%]*client ports\\." : ".*secureClientPorts.*");
    }

    @Test
    void filesThatCannotBeUsedAreNamedAtTheStart() throws Exception {
        Path bad = Files.writeString(directory.resolve("bad.pem"), "nonsense");
        for (ZooKeeperTls tls : new ZooKeeperTls[] {
            new ZooKeeperTls(new TrustedCertificates(bad), own, true),
            new ZooKeeperTls(new TrustedCertificates(trusted), bad, true)
        }) {
            assertThatThrownBy(() -> open(Duration.ofSeconds(3), tls))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(" in " + bad);
        }
    }
}
