package io.talosgateway.loadgen;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.report.StoredRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Load over TLS, on a server with a certificate for 127.0.0.1 that only this test trusts. */
final class TlsRunTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    /** By the client's address: the system may use a port for several connections, one after another. */
    private final Map<InetSocketAddress, Integer> handshakes = new ConcurrentHashMap<>();

    private final Set<String> connections = ConcurrentHashMap.newKeySet();
    private final AtomicInteger requests = new AtomicInteger();
    private final String administrator = new Credentials("TGADMIN", "its secret").authorization();
    private HttpsServer server;
    private Path authority;

    @BeforeEach
    void start() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream file = TlsRunTest.class.getResourceAsStream("/loopback-test.p12")) {
            store.load(file, PASSWORD);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        authority = directory.resolve("ca.pem");
        Files.writeString(
                authority,
                "-----BEGIN CERTIFICATE-----\n"
                        + Base64.getMimeEncoder()
                                .encodeToString(store.getCertificate("test").getEncoded())
                        + "\n-----END CERTIFICATE-----\n");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                handshakes.merge(parameters.getClientAddress(), 1, Integer::sum);
                super.configure(parameters);
            }
        });
        server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals("/metrics")) {
                answerMetrics(exchange);
                return;
            }
            requests.incrementAndGet();
            InetSocketAddress client = exchange.getRemoteAddress();
            connections.add(client + ", handshake " + handshakes.get(client));
            exchange.getRequestBody().readAllBytes();
            byte[] body = (exchange.getRequestURI().getPath().contains("/messages")
                            ? "x".repeat(100_000)
                            : StubGateway.topic(120).body())
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
    }

    /** As an operations port with ops.tls and ops.require-key does. */
    private void answerMetrics(HttpExchange exchange) throws IOException {
        boolean known = administrator.equals(exchange.getRequestHeaders().getFirst("Authorization"));
        byte[] body = "talos_requests_in_flight 1\n".getBytes(StandardCharsets.US_ASCII);
        exchange.sendResponseHeaders(known ? 200 : 401, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    @Test
    void operationsPortIsAskedWithTheKeyAndTheTrustOfTheEndpoint() throws Exception {
        String ops = "https://127.0.0.1:" + server.getAddress().getPort();
        Path right = keyFile("TGADMIN", "its secret");
        Path wrong = keyFile("TGADMIN", "another secret");

        CommandResult refused = run("--tls-ca " + authority + " --key-file " + wrong + " --ops " + ops);
        assertThat(refused.err())
                .isEqualTo(
                        "talos-loadgen: --ops: No metrics at %s/metrics: the answer is 401; name the key of an administrator (--key-file, $TALOS_KEY)\n"
                                .formatted(ops));
        assertThat(requests).hasValue(0);

        CommandResult shown =
                run("--tls-ca " + authority + " --key-file " + right + " --ops " + ops + " --put-threads 1");
        assertThat(shown.err()).doesNotContain("talos-loadgen:");
        assertThat(shown.status()).isZero();
    }

    private Path keyFile(String id, String secret) throws IOException {
        return Files.writeString(
                directory.resolve(secret.replace(' ', '-') + ".json"),
                "{\"keys\":[{\"id\":\"%s\",\"secret\":\"%s\"}]}".formatted(id, secret));
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    private CommandResult run(String options) {
        List<String> arguments = new ArrayList<>(List.of(
                "run",
                "--endpoint",
                "https://127.0.0.1:" + server.getAddress().getPort(),
                "--warmup",
                "100ms",
                "--duration",
                "3s",
                "--put-rate",
                "20",
                "--size",
                "100KiB",
                "--out",
                directory.resolve("out").toString()));
        arguments.addAll(List.of(options.split(" ")));
        return CommandResult.of(arguments.toArray(String[]::new));
    }

    /** Some may be due, and have no connection until after the end, on a machine that stalls. */
    private void assertNoneWasRefused() {
        assertThat(report().put().errorsByKind())
                .extracting(Tally.ErrorCount::code)
                .isSubsetOf("not-sent");
    }

    private StoredRun report() {
        return StoredRun.read(directory.resolve("out"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--put-threads 3", "--pending 3", "--put-threads 2 --tls-insecure"})
    void putsAndAnswersOfManyRecordsGoThrough(String options) {
        CommandResult result = run("--tls-ca " + authority + " " + options);

        assertThat(result.err()).doesNotContain("talos-loadgen:");
        assertThat(report().put().count()).isPositive();
        assertNoneWasRefused();
        assertThat(report().load().tls()).isTrue();
        // One of each client, one to look for the server, one to look for the topic.
        assertThat(connections).hasSizeLessThanOrEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--put-threads 2", "--pending 2"})
    void eachRequestCanHaveAConnectionOfItsOwn(String options) {
        CommandResult result = run("--new-connections --tls-ca " + authority + " " + options);

        assertThat(result.err()).doesNotContain("talos-loadgen:");
        assertThat(report().put().count()).isPositive();
        assertNoneWasRefused();
        assertThat(connections).hasSize(requests.get());
    }

    @Test
    void serverThatIsNotTrustedIsNotUsed() {
        CommandResult result = run("--put-threads 1 --no-create");

        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("talos-loadgen: There is no TLS with https://127.0.0.1:")
                .contains("--tls-ca")
                .hasLineCount(1);
    }
}
