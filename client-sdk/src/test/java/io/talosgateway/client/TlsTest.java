package io.talosgateway.client;

import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.talosgateway.client.ScriptedServer.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

/** Both clients over TLS, with a certificate for 127.0.0.1 that only this test trusts. */
final class TlsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    private SSLContext context;
    private HttpsServer server;

    @BeforeEach
    void start() throws Exception {
        context = context();
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static SSLContext context() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = TlsTest.class.getResourceAsStream("/loopback-test.p12")) {
            store.load(file, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("test", store.getCertificate("test"));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private GatewayClient.Builder client() {
        return GatewayClient.builder(
                        URI.create("https://127.0.0.1:" + server.getAddress().getPort()))
                .connectTimeout(Duration.ofMinutes(1))
                .timeout(Duration.ofMinutes(2))
                .retries(RetryPolicy.NONE);
    }

    @Test
    void certificateOfTheContextIsTrustedByBothClients() {
        GatewayClient.Builder trusting = client().sslContext(context);

        for (TalosClient each : List.of(trusting.build(), trusting.buildThrift())) {
            assertThat(failureOf(each.topic("t"))).hasMessage("HTTP status 404");
        }
    }

    @Test
    void otherCertificatesAreNotTrusted() {
        for (TalosClient each : List.of(client().build(), client().buildThrift())) {
            GatewayClientException failure = failureOf(each.topic("t"));
            assertThat(failure.problem()).isNull();
            assertThat(failure).hasMessageStartingWith("The connection to https://127.0.0.1:");
        }
    }
}
