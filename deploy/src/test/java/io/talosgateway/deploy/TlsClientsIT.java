package io.talosgateway.deploy;

import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageCompressionType;
import com.xiaomi.infra.galaxy.talos.thrift.TopicAndPartition;
import com.xiaomi.infra.galaxy.talos.thrift.TopicTalosResourceName;
import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.PartitionClient;
import io.talosgateway.client.TalosClient;
import io.talosgateway.client.Topic;
import io.talosgateway.loadgen.process.SelfSigned;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients of the distribution over TLS, with each of the providers and a certificate that keytool makes for this test. */
final class TlsClientsIT {

    private static final String PASSWORD = "changeit";

    @TempDir
    Path directory;

    private Path store;

    @BeforeEach
    void makeCertificate() throws Exception {
        store = directory.resolve("server.p12");
        SelfSigned.make(store, PASSWORD);
        // The official SDK trusts what the JVM trusts.
        System.setProperty("javax.net.ssl.trustStore", store.toString());
        System.setProperty("javax.net.ssl.trustStorePassword", PASSWORD);
    }

    @AfterEach
    void trustNobody() {
        System.clearProperty("javax.net.ssl.trustStore");
        System.clearProperty("javax.net.ssl.trustStorePassword");
    }

    private SSLContext trusting() throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            trusted.load(in, PASSWORD.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private GatewayProcess start(String provider, boolean plain) throws Exception {
        return GatewayProcess.start(
                directory,
                Map.of(
                        "http.enabled",
                        Boolean.toString(plain),
                        "tls.port",
                        "0",
                        "tls.key-store",
                        store.toString(),
                        "tls.key-store-password",
                        "@" + Files.writeString(directory.resolve("password"), PASSWORD),
                        "tls.provider",
                        provider));
    }

    private static Topic newTopic(TalosClient client) throws Exception {
        return client.createTopic(new NewTopic("orders", 1)).get();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdk", "conscrypt"})
    void ownClientsAndTheOfficialSdkPutAndGet(String provider) throws Exception {
        try (GatewayProcess gateway = start(provider, false)) {
            GatewayClient.Builder builder = GatewayClient.builder(URI.create(gateway.tlsEndpoint()))
                    .key(gateway.key().id(), gateway.key().secret())
                    .sslContext(trusting());
            List<TalosClient> clients = List.of(builder.build(), builder.buildThrift());
            Topic topic = newTopic(clients.get(0));

            for (TalosClient client : clients) {
                client.partitionClients("orders")
                        .get()
                        .get(0)
                        .put(List.of(NewMessage.of("ours")))
                        .get();
            }
            OfficialSdk sdk = new OfficialSdk(gateway.tlsEndpoint(), gateway.key());
            TopicAndPartition partition =
                    new TopicAndPartition("orders", new TopicTalosResourceName(topic.resourceName()), 0);
            Message theirs = new Message();
            theirs.setMessage("theirs".getBytes(StandardCharsets.UTF_8));
            sdk.producer(partition, MessageCompressionType.SNAPPY).putMessageList(List.of(theirs));

            assertThat(sdk.consumer(partition).fetchMessage(0))
                    .extracting(each -> new String(each.getMessage().getMessage(), StandardCharsets.UTF_8))
                    .containsExactly("ours", "ours", "theirs");
            for (TalosClient client : clients) {
                assertThat(client.partitionClients("orders")
                                .get()
                                .get(0)
                                .get(PartitionClient.EARLIEST, GetOptions.DEFAULT)
                                .get()
                                .nextOffset())
                        .isEqualTo(3);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoComesOverTlsIsNotSentToPlainAddresses(boolean plain) throws Exception {
        try (GatewayProcess gateway = start("jdk", plain)) {
            GatewayClient.Builder overTls = GatewayClient.builder(URI.create(gateway.tlsEndpoint()))
                    .key(gateway.key().id(), gateway.key().secret())
                    .sslContext(trusting());
            newTopic(overTls.build());

            assertThat(overTls.buildThrift().owners("orders").get()).isEmpty();
            if (plain) {
                String address = gateway.endpoint().substring("http://".length());
                assertThat(gateway.client().buildThrift().owners("orders").get())
                        .isEqualTo(Map.of(0, address));
            }
        }
    }
}
