package io.talosgateway.rest.http.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.rest.tls.TestCertificates.Issued;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Clients that are known by their certificates, and those that are not. */
final class ClientCertificatesIT {

    @TempDir
    static Path shared;

    private static TestCertificates hosts;
    private static TestCertificates clients;
    private static TestCertificates others;
    private static Issued host;
    private static Issued collector;
    private static Issued operator;
    private static Issued nobody;
    private static Issued stranger;

    @TempDir
    Path directory;

    private Path authority;
    private Path clientKeys;
    private AccessKey collectorKey;

    @BeforeAll
    static void issue() throws Exception {
        hosts = new TestCertificates(shared, "hosts");
        clients = new TestCertificates(shared, "clients");
        others = new TestCertificates(shared, "others");
        host = hosts.issue("host", "EC");
        collector = clients.issue("collector", "EC");
        operator = clients.issue("operator", "RSA");
        nobody = clients.issue("nobody", "EC");
        // The same name as one that stands for an administrator.
        stranger = others.issue("operator", "EC");
    }

    @BeforeEach
    void write() throws Exception {
        authority = Files.writeString(directory.resolve("authority.pem"), clients.certificatePem());
        clientKeys = Files.writeString(directory.resolve("client-keys.txt"), "# nobody\n");
        host.write(directory.resolve("c.pem"), directory.resolve("k.pem"));
    }

    /** A gateway at which the certificates of the collector and of the operator stand for keys. */
    private TestGateway start(String clientAuth, String... more) throws IOException {
        Map<String, String> settings = new HashMap<>(Map.of(
                "tls.port", "0",
                "tls.certificate", directory.resolve("c.pem").toString(),
                "tls.key", directory.resolve("k.pem").toString(),
                "tls.reload-interval", "20ms",
                "tls.client-auth", clientAuth,
                "tls.client-ca", authority.toString(),
                "tls.client-keys", clientKeys.toString()));
        for (int index = 0; index < more.length; index += 2) {
            settings.put(more[index], more[index + 1]);
        }
        TestGateway gateway = TestGateway.start(directory.resolve("data"), settings);
        collectorKey = gateway.addKey("alice", "collectors", false);
        writeClientKeys(
                gateway,
                "%s CN=collector\n%s CN=operator\n"
                        .formatted(collectorKey.id(), gateway.key().id()));
        return gateway;
    }

    private void writeClientKeys(TestGateway gateway, String content) throws IOException {
        double before = reloads(gateway, "taken");
        Path whole = Files.writeString(directory.resolve("client-keys.new"), content);
        Files.move(whole, clientKeys, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Await.asLongAs(() -> reloads(gateway, "taken") == before);
    }

    private static double reloads(TestGateway gateway, String outcome) throws IOException {
        try {
            return gateway.metric("talos_tls_reloads_total{outcome=\"%s\",}".formatted(outcome));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static HttpRequest.Builder request(TestGateway gateway, String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + gateway.tlsPort() + path));
    }

    /** On a connection of its own. */
    private static HttpResponse<String> send(SSLContext as, HttpRequest.Builder request) throws Exception {
        return HttpClient.newBuilder()
                .sslContext(as)
                .sslParameters(new SSLParameters(null, new String[] {"TLSv1.3"}))
                .build()
                .send(request.build(), BodyHandlers.ofString());
    }

    private static HttpRequest.Builder create(TestGateway gateway, String topic) {
        return request(gateway, "/v1/topics")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\":\"" + topic + "\",\"partitions\":1}"));
    }

    private static void assertStatus(HttpResponse<String> response, int status, String... told) {
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        for (String part : told) {
            assertThat(response.body()).contains(part);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "conscrypt"})
    void certificateIsTheKeyThatTheOperatorSays(String provider) throws Exception {
        try (TestGateway gateway = start("want", "tls.provider", provider)) {
            SSLContext asCollector = hosts.trustingAs(collector);

            assertStatus(send(asCollector, create(gateway, "t")), 201, "\"owner\":\"collectors\"");
            assertStatus(send(asCollector, request(gateway, "/v1/keys")), 403, "permission-denied");
            assertStatus(send(hosts.trustingAs(operator), request(gateway, "/v1/keys")), 200, collectorKey.id());
            assertStatus(
                    send(hosts.trustingAs(nobody), request(gateway, "/v1/topics")),
                    401,
                    "The client certificate of 'CN=nobody' stands for no key");
            assertStatus(send(hosts.trusting(), request(gateway, "/v1/topics")), 401, "This needs a key");
            assertStatus(
                    send(
                            hosts.trusting(),
                            request(gateway, "/v1/keys").header("Authorization", TestGateway.basic(gateway.key()))),
                    200);
            // The Talos interface knows it, too.
            assertStatus(
                    send(
                            asCollector,
                            request(gateway, "/v1/api/topic?id=1&type=listTopics")
                                    .header("Content-Type", "application/x-thrift-json")
                                    .POST(BodyPublishers.ofString("[1,\"listTopics\",1,1,{}]"))),
                    200,
                    "collectors#t#");
        }
    }

    @Test
    void authorizationHeaderDecidesIfThereIsOne() throws Exception {
        try (TestGateway gateway = start("want")) {
            SSLContext asOperator = hosts.trustingAs(operator);
            String basic = TestGateway.basic(collectorKey);

            assertStatus(
                    send(asOperator, request(gateway, "/v1/keys").header("Authorization", basic)),
                    403,
                    "permission-denied");
            for (String wrong : new String[] {"Basic QTpC", "Guest", "Galaxy-V3 x:y", ""}) {
                assertStatus(
                        send(asOperator, request(gateway, "/v1/keys").header("Authorization", wrong)),
                        401,
                        "unauthenticated");
            }
            // One that stands for nobody does not get in the way of a key.
            assertStatus(
                    send(
                            hosts.trustingAs(nobody),
                            request(gateway, "/v1/topics").header("Authorization", basic)),
                    200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "conscrypt"})
    void certificatesOfOtherAuthoritiesAreRefusedAndNoneIfOneIsNeeded(String provider) throws Exception {
        try (TestGateway gateway = start("need", "tls.provider", provider)) {
            String basic = TestGateway.basic(gateway.key());

            assertThatThrownBy(() -> send(hosts.trustingAs(stranger), request(gateway, "/v1/topics")))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> send(
                            hosts.trusting(), request(gateway, "/v1/topics").header("Authorization", basic)))
                    .isInstanceOf(IOException.class);
            assertStatus(send(hosts.trustingAs(operator), request(gateway, "/v1/keys")), 200);
        }
        try (TestGateway gateway = start("want", "tls.provider", provider)) {
            assertThatThrownBy(() -> send(hosts.trustingAs(stranger), request(gateway, "/v1/topics")))
                    .isInstanceOf(IOException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({"jdk,TLSv1.2", "jdk,TLSv1.3", "conscrypt,TLSv1.2", "conscrypt,TLSv1.3"})
    void resumedSessionsKeepTheirCertificateWhileItIsTrusted(String provider, String protocol) throws Exception {
        try (TestGateway gateway = start("want", "tls.provider", provider)) {
            SSLContext context = hosts.trustingAs(collector);
            long first = sessionOf(context, gateway, protocol, "HTTP/1.1 200");
            Await.asLongAs(() -> System.currentTimeMillis() == first);
            assertThat(sessionOf(context, gateway, protocol, "HTTP/1.1 200")).isEqualTo(first);

            double before = reloads(gateway, "taken");
            Files.writeString(authority, others.certificatePem());
            Await.asLongAs(() -> reloads(gateway, "taken") == before);
            assertThatThrownBy(() -> sessionOf(context, gateway, protocol, "HTTP/1.1 "))
                    .isInstanceOfAny(IOException.class, AssertionError.class);
            assertStatus(send(hosts.trustingAs(stranger), request(gateway, "/v1/keys")), 200);
        }
    }

    /** When the session of a connection for one request was created, whose answer begins so. */
    private static long sessionOf(SSLContext context, TestGateway gateway, String protocol, String answer)
            throws IOException {
        try (SSLSocket socket = (SSLSocket)
                context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), gateway.tlsPort())) {
            socket.setEnabledProtocols(new String[] {protocol});
            socket.getOutputStream()
                    .write("GET /v1/topics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
                    .startsWith(answer);
            return socket.getSession().getCreationTime();
        }
    }

    @Test
    void newClientKeysCountAtOnceAlsoOnOpenConnections() throws Exception {
        try (TestGateway gateway = start("want")) {
            HttpClient held = HttpClient.newBuilder()
                    .sslContext(hosts.trustingAs(collector))
                    .build();
            HttpRequest list = request(gateway, "/v1/topics").build();
            assertStatus(held.send(list, BodyHandlers.ofString()), 200);

            double refused = reloads(gateway, "refused");
            Files.writeString(clientKeys, "half a li");
            Await.asLongAs(() -> reloads(gateway, "refused") == refused);
            assertStatus(held.send(list, BodyHandlers.ofString()), 200);

            writeClientKeys(gateway, "TGNOSUCHKEY CN=collector\n");
            assertStatus(held.send(list, BodyHandlers.ofString()), 401, "the key TGNOSUCHKEY, which does not exist");
            writeClientKeys(gateway, "# nobody any more\n");
            assertStatus(held.send(list, BodyHandlers.ofString()), 401, "stands for no key");
        }
    }

    @Test
    void filesThatCannotBeUsedStopTheStart() throws Exception {
        Files.writeString(authority, "nothing");
        assertThatThrownBy(() -> start("want")).hasMessageContaining("There is no certificate in " + authority);
        Files.delete(clientKeys);
        assertThatThrownBy(() -> start("want")).hasMessage("There is no file " + clientKeys + ".");
    }
}
