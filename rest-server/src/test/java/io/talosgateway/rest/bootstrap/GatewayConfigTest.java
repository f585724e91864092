package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import com.google.common.base.Splitter;
import io.talosgateway.rest.coordination.zookeeper.GeneratedSecret;
import io.talosgateway.rest.journal.hdfs.KerberosConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class GatewayConfigTest {

    /** Their defaults depend on the machine: cores, heap, working directory. */
    private static final Set<String> MACHINE_DEPENDENT = Set.of(
            "admission.max-bytes-in-flight",
            "answer.threads",
            "auth.key-file",
            "get.threads",
            "http.threads",
            "journal.index-cache-size",
            "journal.lanes",
            "journal.max-queued-size",
            "journal.read-ahead-cache-size",
            "journal.tail-cache-size",
            "peer.max-unanswered-size",
            "forward.max-queued-size",
            "control.max-queued-size",
            "control.max-queued-size-per-key",
            "control.max-queued-size-per-thread",
            "get.max-queued-size",
            "get.max-queued-size-per-key",
            "get.max-queued-size-per-thread",
            "put.max-queued-size",
            "put.max-queued-size-per-key",
            "put.max-queued-size-per-thread",
            "put.threads",
            "transaction.max-prepared-size");

    /** Renaming a key or changing a default is a change that users see: put it into the changelog. */
    @Test
    void hdfsHasMoreLanesThanALocalDisk() {
        int onHdfs = lanes("hdfs://namenode:8020/talos");
        assertThat(onHdfs).isBetween(2, 4);
        assertThat(lanes("file:///talos")).isBetween(1, onHdfs);
    }

    private static int lanes(String root) {
        return GatewayConfig.of(Map.of("storage.root", root))
                .hosting()
                .journal()
                .lanes();
    }

    @Test
    void keysAndDefaultsAreThese() {
        Settings settings = new Settings(Map.of());
        GatewayConfig.read(settings);
        Map<String, String> defaults = new TreeMap<>(settings.defaults());
        MACHINE_DEPENDENT.forEach(
                key -> assertThat(defaults.remove(key)).as(key).isNotBlank());

        assertThat(defaults)
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("access.file", ""),
                        Map.entry("access.max-files", "10"),
                        Map.entry("access.max-size", "64MiB"),
                        Map.entry("admission.max-percent-per-address", "50"),
                        Map.entry("admission.max-percent-per-key", "50"),
                        Map.entry("admission.max-requests-in-flight", "20000"),
                        Map.entry("audit.file", ""),
                        Map.entry("auth.allow-guests", "false"),
                        Map.entry("auth.max-remembered-requests", "100000"),
                        Map.entry("auth.refuse-replays", "false"),
                        Map.entry("auth.clock-tolerance", "15m"),
                        Map.entry("auth.key-encryption-secret", ""),
                        Map.entry("auth.oidc.admin-claim", ""),
                        Map.entry("auth.oidc.admin-value", ""),
                        Map.entry("auth.oidc.algorithms", "ES256,PS256,RS256"),
                        Map.entry("auth.oidc.audience", ""),
                        Map.entry("auth.oidc.issuer", ""),
                        Map.entry("auth.oidc.jwks", ""),
                        Map.entry("auth.oidc.organization-claim", ""),
                        Map.entry("auth.oidc.principal-claim", "sub"),
                        Map.entry("auth.oidc.refresh-interval", "5m"),
                        Map.entry("auth.oidc.trust-names", "false"),
                        Map.entry("control.max-bypasses", "32"),
                        Map.entry("control.max-queued", "1000"),
                        Map.entry("control.max-queued-per-key", "100"),
                        Map.entry("control.max-queued-per-thread", "1000"),
                        Map.entry("control.policy", "least-loaded"),
                        Map.entry("control.threads", "4"),
                        Map.entry("data.directory", "data"),
                        Map.entry("dispatch.mode", "asynchronous"),
                        Map.entry("fetch.max-messages", "20000"),
                        Map.entry("fetch.max-size", "10MiB"),
                        Map.entry("fetch.max-wait", "1m"),
                        Map.entry("fetch.max-waiters", "10000"),
                        Map.entry("consumer-group.lease", "30s"),
                        Map.entry("get.max-bypasses", "32"),
                        Map.entry("get.max-queued", "20000"),
                        Map.entry("get.max-queued-per-key", "5000"),
                        Map.entry("get.max-queued-per-thread", "20000"),
                        Map.entry("get.policy", "least-loaded"),
                        Map.entry("host.name", "gateway-1"),
                        Map.entry("cluster.join-delay", "1s"),
                        Map.entry("cluster.removal-delay", "5s"),
                        Map.entry("cluster.restart-delay", "2m"),
                        Map.entry("cluster.move-wait", "2s"),
                        Map.entry("cluster.stop-notice", "1s"),
                        Map.entry("cluster.on-stop", "release"),
                        Map.entry("cluster.stop-timeout", "20s"),
                        Map.entry("topic.owner-wait", "5s"),
                        Map.entry("log.slow-request", "1s"),
                        Map.entry("peer.advertise", ""),
                        Map.entry("peer.handshake-timeout", "5s"),
                        Map.entry("peer.host", "127.0.0.1"),
                        Map.entry("peer.max-connections", "4096"),
                        Map.entry("peer.max-frame-size", "32MiB"),
                        Map.entry("peer.max-strangers", "64"),
                        Map.entry("peer.port", "8082"),
                        Map.entry("peer.secret", ""),
                        Map.entry("peer.tls.certificate", ""),
                        Map.entry("peer.tls.private-key", ""),
                        Map.entry("peer.tls.trusted-certificates", ""),
                        Map.entry("peer.transfer-timeout", "15s"),
                        Map.entry("forward.connect-timeout", "2s"),
                        Map.entry("forward.idle-timeout", "1m"),
                        Map.entry("forward.max-back-off", "5s"),
                        Map.entry("forward.max-connections", "32"),
                        Map.entry("forward.max-queued", "4096"),
                        Map.entry("forward.max-waiting-gets", "64"),
                        Map.entry("forward.min-back-off", "100ms"),
                        Map.entry("forward.reserve", "20ms"),
                        Map.entry("http.advertise", ""),
                        Map.entry("http.allowed-origins", ""),
                        Map.entry("http.body-timeout", "30s"),
                        Map.entry("http.enabled", "true"),
                        Map.entry("http.header-timeout", "15s"),
                        Map.entry("http.host", "127.0.0.1"),
                        Map.entry("http.idle-timeout", "1m"),
                        Map.entry("http.max-body-size", "24MiB"),
                        Map.entry("http.max-connections", "20000"),
                        Map.entry("http.max-connections-per-address", "10000"),
                        Map.entry("http.min-rate", "16KiB"),
                        Map.entry("http.port", "8080"),
                        Map.entry("http.request-timeout", "10s"),
                        Map.entry("idempotency.max-age", "15m"),
                        Map.entry("idempotency.max-per-partition", "10000"),
                        Map.entry("idempotency.max-total", "200000"),
                        Map.entry("journal.accept-damage", "false"),
                        Map.entry("journal.durability", "disk"),
                        Map.entry("journal.file-age", "1h"),
                        Map.entry("journal.file-size", "256MiB"),
                        Map.entry("journal.layout", "shared-lanes"),
                        Map.entry("journal.max-group-puts", "2000"),
                        Map.entry("journal.max-group-size", "8MiB"),
                        Map.entry("journal.max-queued-puts", "20000"),
                        Map.entry("journal.min-free-size", "256MiB"),
                        Map.entry("journal.min-replicas", "1"),
                        Map.entry("journal.read-page-size", "1MiB"),
                        Map.entry("message.max-blocks-per-put", "1000"),
                        Map.entry("message.max-per-put", "100000"),
                        Map.entry("message.max-size", "10MiB"),
                        Map.entry("ops.allowed-hosts", ""),
                        Map.entry("ops.console", "true"),
                        Map.entry("ops.host", "127.0.0.1"),
                        Map.entry("ops.port", "8081"),
                        Map.entry("ops.require-key", "false"),
                        Map.entry("ops.tls", "false"),
                        Map.entry("put.max-bypasses", "32"),
                        Map.entry("put.max-queued", "20000"),
                        Map.entry("put.max-queued-per-key", "5000"),
                        Map.entry("put.max-queued-per-thread", "20000"),
                        Map.entry("put.policy", "least-loaded"),
                        Map.entry("shutdown.drain-timeout", "20s"),
                        Map.entry("warm-up.time", "3s"),
                        Map.entry("storage.connect-timeout", "30s"),
                        Map.entry("storage.fence-timeout", "2m"),
                        Map.entry("storage.kerberos.keytab", ""),
                        Map.entry("storage.kerberos.principal", ""),
                        Map.entry("storage.root", ""),
                        Map.entry("stream.heartbeat", "15s"),
                        Map.entry("stream.max-percent-per-client", "50"),
                        Map.entry("stream.max-streams", "1000"),
                        Map.entry("tls.advertise", ""),
                        Map.entry("tls.certificate", ""),
                        Map.entry("tls.client-auth", "none"),
                        Map.entry("tls.client-ca", ""),
                        Map.entry("tls.client-keys", ""),
                        Map.entry("tls.handshake-timeout", "10s"),
                        Map.entry("tls.key", ""),
                        Map.entry("tls.key-store", ""),
                        Map.entry("tls.key-store-password", ""),
                        Map.entry("tls.max-handshakes", "1024"),
                        Map.entry("tls.port", "8443"),
                        Map.entry("tls.provider", "jdk"),
                        Map.entry("tls.reload-interval", "10s"),
                        Map.entry("topic.default-partitions", "8"),
                        Map.entry("topic.default-retention", "1d"),
                        Map.entry("topic.max-partitions", "256"),
                        Map.entry("topic.max-partitions-per-owner", "40000"),
                        Map.entry("topic.max-partitions-total", "300000"),
                        Map.entry("topic.max-retention", "365d"),
                        Map.entry("topic.max-topics", "100000"),
                        Map.entry("topic.max-topics-per-owner", "5000"),
                        Map.entry("topic.min-retention", "1h"),
                        Map.entry("tracing.otlp-endpoint", ""),
                        Map.entry("tracing.sample-ratio", "0.01"),
                        Map.entry("transaction.timeout", "10m"),
                        Map.entry("zookeeper.allow-open-secret", "false"),
                        Map.entry("zookeeper.auth", ""),
                        Map.entry("zookeeper.connect", ""),
                        Map.entry("zookeeper.connect-timeout", "20s"),
                        Map.entry("zookeeper.root", "/talos"),
                        Map.entry("zookeeper.session-timeout", "10s"),
                        Map.entry("zookeeper.tls.certificate-and-key", ""),
                        Map.entry("zookeeper.tls.trusted-certificates", ""),
                        Map.entry("zookeeper.tls.verify-host-names", "true")));
    }

    @Test
    void everyDefaultIsAlsoAValueThatCanBeGiven() {
        Settings settings = new Settings(Map.of());
        GatewayConfig defaults = GatewayConfig.read(settings);

        assertThat(GatewayConfig.of(settings.defaults())).isEqualTo(defaults);
    }

    @Test
    void whatIsNotThereIsBelowTheDataDirectory() {
        GatewayConfig config = GatewayConfig.of(Map.of("data.directory", "/some/where"));

        assertThat(config.auth().keyFile()).isEqualTo(Path.of("/some/where/keys.json"));
        assertThat(config.storage().root()).hasScheme("file").hasPath("/some/where/storage");
        assertThat(config.zookeeper().embeddedDirectory()).isEqualTo(Path.of("/some/where/zookeeper"));
    }

    @Test
    void consoleIsOffWhereKeysWouldCrossTheNetworkInClearText() {
        Map<String, String> onlyTls = Map.of("http.enabled", "false", "tls.certificate", "c.pem", "tls.key", "k.pem");
        assertThat(GatewayConfig.of(Map.of()).ops().console()).isTrue();
        assertThat(GatewayConfig.of(onlyTls).ops().console()).isFalse();
        assertThat(GatewayConfig.of(with(onlyTls, "ops.tls", "true")).ops().console())
                .isTrue();
        assertThat(GatewayConfig.of(with(onlyTls, "ops.console", "true")).ops().console())
                .isTrue();
    }

    private static Map<String, String> with(Map<String, String> settings, String key, String value) {
        Map<String, String> more = new HashMap<>(settings);
        more.put(key, value);
        return more;
    }

    @ParameterizedTest
    @CsvSource({
        "http.prot,http.port",
        "htp.port,http.port",
        "journal.lane,journal.lanes",
        "zookeper.connect,zookeeper.connect",
        "storage,storage.root"
    })
    void unknownKeyStopsTheStartAndNamesTheNearest(String key, String nearest) {
        assertThatThrownBy(() -> GatewayConfig.of(Map.of(key, "1")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("There is no configuration key '%s'. Did you mean '%s'?".formatted(key, nearest));
    }

    @ParameterizedTest
    @CsvSource({
        "http.port,http",
        "http.port,70000",
        "http.port,-1",
        "http.threads,1",
        "http.idle-timeout,60",
        "http.max-body-size,1B",
        "http.max-body-size,2GiB",
        "message.max-size,10MB",
        "journal.lanes,0",
        "journal.durability,paper",
        "auth.allow-guests,yes",
        "auth.key-encryption-secret,short",
        "put.policy,random",
        "put.threads,0",
        "host.name,a/b",
        "topic.default-partitions,257",
        "topic.max-partitions-per-owner,300001",
        "topic.max-topics-per-owner,100001",
        "topic.min-retention,0s",
        "zookeeper.root,talos",
        "zookeeper.session-timeout,10ms",
        "storage.root,'not a uri'",
        "tls.provider,openssl",
        "idempotency.max-total,0"
    })
    void valueThatIsNotValidStopsTheStartAndNamesTheKey(String key, String value) {
        assertThatThrownBy(() -> GatewayConfig.of(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key.substring(0, key.indexOf('.')))
                .hasMessageNotContaining("null");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        tls.certificate=c.pem                         | tls.certificate and tls.key belong together: tls.key is missing.
        tls.key=k.pem                                 | tls.certificate and tls.key belong together: tls.certificate is missing.
        tls.key-store=s.p12                           | tls.key-store needs tls.key-store-password.
        tls.key-store-password=x                      | tls.key-store-password is set, but not tls.key-store.
        tls.key=k;tls.key-store=s                     | Set either tls.certificate and tls.key, or tls.key-store: not both.
        http.enabled=false                            | http.enabled=false leaves clients no way in without TLS: set tls.certificate and tls.key.
        tls.certificate=c;tls.key=k;tls.port=70000    | tls.port must be 0 to 65535: 70000
        tls.certificate=c;tls.key=k;tls.max-handshakes=0     | tls.max-handshakes must be positive: 0
        tls.certificate=c;tls.key=k;tls.reload-interval=0s   | tls.reload-interval must be positive: PT0S
        tls.client-ca=c                               | tls.client-ca and tls.client-keys need tls.client-auth=want or need.
        tls.client-keys=k                             | tls.client-ca and tls.client-keys need tls.client-auth=want or need.
        tls.client-auth=maybe                         | tls.client-auth must be need or none or want, not 'maybe'
        tls.client-auth=want;tls.client-ca=c          | tls.client-auth=want and need need tls.client-ca and tls.client-keys: set both.
        tls.client-auth=need;tls.client-keys=k        | tls.client-auth=want and need need tls.client-ca and tls.client-keys: set both.
        tls.client-auth=need;tls.client-ca=c;tls.client-keys=k | tls.client-auth needs TLS: set tls.certificate and tls.key.
        ops.tls=true                                  | ops.tls=true needs a certificate: set tls.certificate and tls.key.
        zookeeper.tls.certificate-and-key=c           | zookeeper.tls.certificate-and-key needs zookeeper.tls.trusted-certificates.
        zookeeper.tls.trusted-certificates=t          | zookeeper.tls.trusted-certificates is for ZooKeeper servers elsewhere: set zookeeper.connect too.
        tls.certificate=c;tls.key=k;tls.handshake-timeout=0s | tls.handshake-timeout must be positive: PT0S
        """)
    void tlsThatIsNotWholeStopsTheStartWithTheReason(String settings, String sentence) {
        Map<String, String> values = Splitter.on(';').withKeyValueSeparator('=').split(settings);

        assertThatThrownBy(() -> GatewayConfig.of(values))
                .isInstanceOf(ConfigException.class)
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        auth.oidc.issuer=i                           | auth.oidc.issuer, auth.oidc.audience and auth.oidc.jwks belong together: set all three.
        auth.oidc.issuer=i;auth.oidc.jwks=https://k/ | auth.oidc.issuer, auth.oidc.audience and auth.oidc.jwks belong together: set all three.
        auth.oidc.trust-names=true                   | auth.oidc.issuer, auth.oidc.audience and auth.oidc.jwks belong together: set all three.
        auth.oidc.admin-claim=groups                 | auth.oidc.admin-claim and auth.oidc.admin-value belong together: set both.
        auth.oidc.algorithms=HS256                   | auth.oidc.algorithms must be some of ES256,ES384,ES512,PS256,PS384,PS512,RS256,RS384,RS512, not 'HS256'
        auth.oidc.algorithms=RS256 none              | auth.oidc.algorithms must be some of ES256,ES384,ES512,PS256,PS384,PS512,RS256,RS384,RS512, not 'RS256 none'
        auth.oidc.jwks=http://k/                     | auth.oidc.jwks must be an https address, an http address of this machine (127.0.0.1), or a file (file:///...), not 'http://k/'
        auth.oidc.jwks=a b                           | auth.oidc.jwks is not a URI: a b
        auth.oidc.refresh-interval=0s                | auth.oidc.refresh-interval must be positive: PT0S
        """)
    void tokensThatAreNotWhollyDescribedStopTheStartWithTheReason(String settings, String sentence) {
        Map<String, String> values =
                new TreeMap<>(Splitter.on(';').withKeyValueSeparator('=').split(settings));
        if (!sentence.contains("belong together")) {
            values.put("auth.oidc.issuer", "i");
            values.put("auth.oidc.audience", "a");
            values.putIfAbsent("auth.oidc.jwks", "https://k/");
        }

        assertThatThrownBy(() -> GatewayConfig.of(values))
                .isInstanceOf(ConfigException.class)
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"peer.tls.certificate", "peer.tls.private-key", "peer.tls.trusted-certificates"})
    void tlsBetweenHostsNeedsAllThreeFiles(String key) {
        assertThatThrownBy(() -> GatewayConfig.of(Map.of(key, "file.pem")))
                .isInstanceOf(ConfigException.class)
                .hasMessage(
                        "peer.tls.certificate, peer.tls.private-key and peer.tls.trusted-certificates belong together: "
                                + "set all three.");
    }

    @Test
    void secretThatEverybodyCouldReadIsRefused() {
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("zookeeper.connect", "zk:2181")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(
                        "could read the secret", "zookeeper.auth=", "peer.secret", "zookeeper.allow-open-secret=true");
    }

    @ParameterizedTest
    @CsvSource({
        "zookeeper.auth,hosts:password,PROTECTED",
        "zookeeper.allow-open-secret,true,OPEN",
        "peer.secret,the secret of the hosts,NONE",
    })
    void secretThatOnlyHostsCanReadOrThatIsAllowedIsNot(String key, String value, GeneratedSecret generated) {
        assertThat(GatewayConfig.of(Map.of("zookeeper.connect", "zk:2181", key, value))
                        .zookeeper()
                        .generatedSecret())
                .isEqualTo(generated);
    }

    @ParameterizedTest
    @ValueSource(strings = {"zookeeper.auth", "peer.secret", "tls.key-store-password", "auth.key-encryption-secret"})
    void secretOnACommandLineIsRefusedAndOneInAFileIsTaken(String key, @TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "hosts:a long secret\n");
        Settings settings = new Settings(Map.of(key, "@" + file));

        assertThatThrownBy(() -> GatewayConfig.refuseSecrets(Map.of("http.port", "1", key, "hosts:a long secret")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(key, "--set " + key + "=@FILE")
                .hasMessageNotContaining("long");
        GatewayConfig.refuseSecrets(Map.of("http.port", "1", key, "@" + file));
        GatewayConfig.refuseSecrets(Map.of(key, ""));
        assertThat(settings.secret(key)).isEqualTo("hosts:a long secret");
    }

    @Test
    void secretIsTakenFromItsFile(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("secret"), "the secret of the hosts\n");

        assertThat(GatewayConfig.of(Map.of("peer.secret", "@" + file)).cluster().secret())
                .isEqualTo("the secret of the hosts");
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("peer.secret", "@" + file + "x")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("peer.secret", file + "x", "cannot be read");
        Files.writeString(file, " \n");
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("peer.secret", "@" + file)))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll("peer.secret", "is empty");
    }

    @Test
    void hadoopPropertiesArePassedOn() {
        GatewayConfig config = GatewayConfig.of(Map.of("hadoop.dfs.replication", "2"));

        assertThat(config.storage().hadoopOptions()).isEqualTo(Map.of("dfs.replication", "2"));
    }

    @Test
    void kerberosIsForHdfsAndNeedsAPrincipalAndAKeytab() {
        String principal = "storage.kerberos.principal";
        String keytab = "storage.kerberos.keytab";
        String hdfs = "hdfs://namenode:8020/talos";

        assertThat(GatewayConfig.of(Map.of("storage.root", hdfs)).storage().kerberos())
                .isNull();
        assertThat(GatewayConfig.of(Map.of("storage.root", hdfs, principal, "talos/_HOST@A.B", keytab, "/some/key"))
                        .storage()
                        .kerberos())
                .isEqualTo(new KerberosConfig("talos/_HOST@A.B", Path.of("/some/key")));
        for (String one : List.of(principal, keytab)) {
            assertThatThrownBy(() -> GatewayConfig.of(Map.of("storage.root", hdfs, one, "x")))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("storage.kerberos.principal and storage.kerberos.keytab belong together: set both.");
        }
        assertThatThrownBy(() -> GatewayConfig.of(Map.of("data.directory", "/some", principal, "talos", keytab, "k")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("storage.kerberos.principal and storage.kerberos.keytab are for HDFS, but storage.root is "
                        + "file:///some/storage: name an hdfs:// root, or remove them.");
    }

    @Test
    void fileIsReadAndOverridden(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("gateway.properties");
        Files.writeString(file, "# a comment\nhttp.port = 9000\nhost.name=from-file\n");

        assertThat(GatewayConfig.load(file, Map.of("host.name", "override")))
                .isEqualTo(Map.of("http.port", "9000", "host.name", "override"));
        assertThatThrownBy(() -> GatewayConfig.load(directory.resolve("none"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("There is no configuration file");
        Files.writeString(file, "a=\\u00zz");
        assertThatThrownBy(() -> GatewayConfig.load(file, Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void secretsAreFoundByWhereTheyAre() {
        Map<String, String> values = Map.of(
                "peer.secret", "@/run/secrets/peer",
                "zookeeper.auth", "user:password",
                "tls.key-store-password", "",
                "host.name", "@name");

        assertThat(GatewayConfig.secretFiles(values)).isEqualTo(Map.of("peer.secret", Path.of("/run/secrets/peer")));
        assertThat(GatewayConfig.plainSecrets(values)).containsExactly("zookeeper.auth");
    }
}
