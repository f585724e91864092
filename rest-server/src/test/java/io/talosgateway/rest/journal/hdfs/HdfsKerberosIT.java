package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.HeldPort;
import io.talosgateway.rest.bootstrap.Gateway;
import io.talosgateway.rest.bootstrap.GatewayConfig;
import io.talosgateway.rest.bootstrap.GatewayInProcess;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.rest.topic.Durability;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/** A real HDFS that demands Kerberos of everybody, and a real KDC. */
final class HdfsKerberosIT {

    private static final String MESSAGES = "/v1/topics/t/partitions/0/messages";
    private static final Kdc.Krb5 KRB5 = Kdc.Krb5.DEFAULT;
    /** Each call is two connections with handshakes of Kerberos: without a pause, they take all of a processor. */
    private static final long BETWEEN_CALLS_MS = 250;

    @TempDir
    static Path shared;

    private static Kdc kdc;
    private static HdfsCluster hdfs;
    /** The gateway of this host, without the realm. */
    private static String talos;

    private static Path keytab;
    private static int number;

    @TempDir
    Path directory;

    private final String name = "test-" + number++;
    private final String root = "/" + name;

    @BeforeAll
    static void start() throws Exception {
        kdc = Kdc.start(shared.resolve("kdc"));
        hdfs = HdfsCluster.startSecure(shared.resolve("hdfs"), 1, kdc);
        talos = "talos/" + InetAddress.getLocalHost().getCanonicalHostName().toLowerCase(Locale.ROOT);
        keytab = kdc.keytab("talos", talos);
    }

    @AfterAll
    static void stop() throws Exception {
        try {
            hdfs.close();
        } finally {
            kdc.close();
        }
    }

    @AfterEach
    void restore() throws IOException {
        kdc.configure(KRB5);
        UserGroupInformation.setConfiguration(configuration(hadoop()));
    }

    /** What the superuser of HDFS does for a gateway. */
    private void makeRoot(String owner) throws IOException {
        FileSystem asSuperuser = hdfs.mini().getFileSystem();
        asSuperuser.mkdirs(path(root));
        asSuperuser.setOwner(path(root), owner, "gateways");
    }

    private static org.apache.hadoop.fs.Path path(String path) {
        return new org.apache.hadoop.fs.Path(path);
    }

    private static Map<String, String> hadoop() {
        Map<String, String> options = new HashMap<>();
        options.put("dfs.replication", "1");
        options.put("hadoop.security.authentication", "kerberos");
        options.put("dfs.namenode.kerberos.principal", HdfsCluster.PRINCIPAL);
        // hdfs-default.xml, which allows all principals, is not in the distribution.
        options.put("dfs.namenode.kerberos.principal.pattern", "");
        options.put("dfs.data.transfer.protection", "privacy");
        return options;
    }

    private static Map<String, String> hadoop(String key, String value) {
        Map<String, String> options = hadoop();
        options.put(key, value);
        return options;
    }

    private static Configuration configuration(Map<String, String> options) {
        Configuration configuration = new Configuration();
        options.forEach(configuration::set);
        return configuration;
    }

    private Map<String, String> settings() {
        Map<String, String> settings = new HashMap<>();
        settings.put("storage.root", hdfs.uri() + root);
        settings.put("storage.kerberos.principal", "talos/_HOST@" + Kdc.REALM);
        settings.put("storage.kerberos.keytab", keytab.toString());
        hadoop().forEach((key, value) -> settings.put("hadoop." + key, value));
        return settings;
    }

    private HdfsJournalStorage open(KerberosConfig kerberos, Map<String, String> options) throws IOException {
        return open(kerberos, options, Duration.ofSeconds(60));
    }

    private HdfsJournalStorage open(KerberosConfig kerberos, Map<String, String> options, Duration timeout)
            throws IOException {
        return HdfsJournalStorage.open(
                new StorageConfig(URI.create(hdfs.uri() + root), timeout, Duration.ofSeconds(60), options, kerberos));
    }

    private static KerberosConfig as(String principal, Path keytab) {
        return new KerberosConfig(principal + "@" + Kdc.REALM, keytab);
    }

    @Test
    void probeTriesTheStorageAsThePrincipal() throws Exception {
        makeRoot("talos");
        StorageConfig config = new StorageConfig(
                URI.create(hdfs.uri() + root),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                hadoop(),
                as("talos/_HOST", keytab));
        try (HdfsProbe probe = HdfsProbe.open(config)) {
            // Who is not the superuser of HDFS is not told.
            assertThat(probe.liveDataNodes()).isEqualTo(-1);
            try (AppendFile file = probe.storage().create("probe", 0)) {
                file.write(new byte[] {1}, 0, 1);
                file.sync(Durability.DISK);
                assertThat(file.replication().live()).isEqualTo(probe.wantedReplicas());
            }
            assertThat(probe.modifiedAtMs("probe")).isPositive();
        }
        // It was there before.
        assertThat(hdfs.mini().getFileSystem().getFileStatus(path(root)).getOwner())
                .isEqualTo("talos");
    }

    @Test
    void messagesAreStoredAsThePrincipalAndForNobodyElse() throws Exception {
        makeRoot("talos");
        try (TestGateway gateway = TestGateway.start(directory, settings())) {
            assertThat(gateway.send(gateway.request("/v1/topics")
                                    .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":1}"))
                                    .build())
                            .statusCode())
                    .isEqualTo(201);
            put(gateway, "first");
            gateway.restart();
            put(gateway, "second");
            assertThat(gateway.send(gateway.request(MESSAGES + "?offset=earliest&value=text")
                                    .build())
                            .body())
                    .contains("\"value\":\"first\"", "\"value\":\"second\"");
        }

        assertThat(made(root)).hasSizeGreaterThan(5);
    }

    private static void put(TestGateway gateway, String message) throws Exception {
        HttpResponse<String> answer = gateway.send(gateway.request(MESSAGES)
                .header("Content-Type", "application/octet-stream")
                .POST(BodyPublishers.ofString(message))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private static List<FileStatus> made(String directory) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        for (FileStatus status : hdfs.mini().getFileSystem().listStatus(path(directory))) {
            assertThat(status.getOwner()).as(status.toString()).isEqualTo("talos");
            assertThat(status.getPermission())
                    .as(status.toString())
                    .hasToString(status.isDirectory() ? "rwx------" : "rw-------");
            found.add(status);
            if (status.isDirectory()) {
                found.addAll(made(status.getPath().toUri().getPath()));
            }
        }
        return found;
    }

    @Test
    void gatewayWarmsUpAsThePrincipal() throws Exception {
        makeRoot("talos");
        Map<String, String> settings = settings();
        settings.put("data.directory", directory.toString());
        settings.put("http.port", "0");
        settings.put("ops.port", "0");
        // It ends with the gateway.
        settings.put("warm-up.time", "5m");
        FileSystem asSuperuser = hdfs.mini().getFileSystem();
        var journals = path(root + "/warm-up-gateway-1/journals");

        try (Gateway warmingUp = Gateway.startAndWarmUp(GatewayConfig.of(settings))) {
            Await.until(() -> asSuperuser.exists(journals));

            assertThat(asSuperuser.getFileStatus(journals).getOwner()).isEqualTo("talos");
        }
    }

    @Test
    void gatewayWithoutKerberosIsRefused() {
        Map<String, String> settings = Map.of("storage.root", hdfs.uri() + root);

        assertThatThrownBy(() -> GatewayInProcess.start(directory.resolve("plain"), settings)
                        .close())
                .hasMessageContaining("Cannot use the storage " + hdfs.uri() + root)
                .hasMessageContaining(
                        "This HDFS demands Kerberos: put core-site.xml and hdfs-site.xml of the cluster beside the"
                                + " configuration file of the gateway, and set storage.kerberos.principal and"
                                + " storage.kerberos.keytab.");
    }

    @Test
    void userWithoutATicketIsRefused() {
        UserGroupInformation nobody = UserGroupInformation.createRemoteUser("talos");

        assertThatThrownBy(() -> nobody.doAs((PrivilegedExceptionAction<Boolean>)
                        () -> FileSystem.newInstance(URI.create(hdfs.uri()), configuration(hadoop()))
                                .exists(path("/"))))
                .hasStackTraceContaining("Client cannot authenticate via:[TOKEN, KERBEROS]");
    }

    private void refuses(KerberosConfig kerberos, Map<String, String> options, String... sentence) {
        Throwable refusal = catchThrowable(() -> open(kerberos, options).close());
        assertThat(refusal).isInstanceOf(IOException.class);
        assertThat(refusal.getMessage())
                .contains(sentence)
                .doesNotContain("Exception", "null")
                .doesNotContain("\n");
    }

    @Test
    void settingsThatContradictEachOtherAreNamed() {
        refuses(
                null,
                hadoop(),
                "HDFS is configured for Kerberos (hadoop.security.authentication=kerberos), but the gateway has no keytab.",
                "Set storage.kerberos.principal and storage.kerberos.keytab.");
        refuses(
                as(talos, keytab),
                Map.of(),
                "storage.kerberos.keytab is set, but the Hadoop client is configured without Kerberos",
                "or set hadoop.hadoop.security.authentication=kerberos");
        refuses(
                as(talos, keytab),
                hadoop("dfs.namenode.kerberos.principal", ""),
                "The principal of the NameNode is not known",
                "Set hadoop.dfs.namenode.kerberos.principal");
        refuses(
                as(talos, keytab),
                hadoop("hadoop.security.authentication", "kerberus"),
                "must be simple or kerberos, not 'kerberus'");
    }

    @Test
    void keytabThatCannotBeUsedIsNamed() throws Exception {
        Path none = directory.resolve("none.keytab");
        refuses(as(talos, none), hadoop(), "There is no keytab " + none + ". Export one for " + talos);
        refuses(as(talos, directory), hadoop(), "The keytab " + directory + " cannot be read.", "with mode 400");
        Path text = Files.writeString(directory.resolve("text.keytab"), "not a keytab");
        refuses(as(talos, text), hadoop(), "The file " + text + " is not a keytab");
        refuses(
                as("other", keytab),
                hadoop(),
                "The keytab " + keytab + " has no key of other@TALOS.TEST, only of " + talos + "@TALOS.TEST.",
                "Export a keytab for that principal, or correct storage.kerberos.principal.");
    }

    @Test
    void keytabThatOthersCanReadIsAWarning() throws Exception {
        Path open = Files.copy(keytab, directory.resolve("open.keytab"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rw-r--r--"));
        try (LogLines lines = new LogLines(KeytabLogin.class)) {
            KeytabLogin.of(as(talos, keytab));
            assertThat(lines.texts()).isEmpty();
            KeytabLogin.of(as(talos, open));
            assertThat(lines.texts())
                    .containsExactly("Everybody on this machine can read the keytab " + open + ", and be " + talos
                            + "@TALOS.TEST with it: chmod 400 it");
        }
    }

    @Test
    void whatTheKdcRefusesIsNamed() throws Exception {
        Path changed = kdc.keytab(name + "-changed", name + "-changed");
        kdc.changeKey(name + "-changed");
        refuses(
                as(name + "-changed", changed),
                hadoop(),
                name + "-changed@TALOS.TEST cannot log in to Kerberos with the keytab " + changed
                        + ": the KDC has another key of the principal than the keytab",
                "Export the keytab again.");
        Path deleted = kdc.keytab(name + "-deleted", name + "-deleted");
        kdc.delete(name + "-deleted");
        refuses(as(name + "-deleted", deleted), hadoop(), "the KDC does not know the principal", "Create it");
    }

    @Test
    void clockThatIsWrongIsNamed() throws Exception {
        try (Kdc.OfAnotherTime kdcOfAnotherTime = new Kdc.OfAnotherTime()) {
            kdc.configure(KRB5.withPort(kdcOfAnotherTime.port()));
            refuses(
                    as(talos, keytab),
                    hadoop(),
                    "the clocks of this host and of the KDC differ by more than Kerberos allows (Clock skew too great (37)",
                    "Set both by NTP.");
        }
        // No clock is good enough for the NameNode, which has the krb5.conf of this process.
        kdc.configure(KRB5.withClockSkewSeconds(-1));
        refuses(as(talos, keytab), hadoop(), "The NameNode does not accept the ticket", "Compare the clocks");
    }

    @Test
    void kdcThatIsNotThereIsNamed() throws Exception {
        try (HeldPort nobody = new HeldPort()) {
            kdc.configure(KRB5.withPort(nobody.number()));
            refuses(as(talos, keytab), hadoop(), "no KDC answers (Connection refused)", "client-krb5.conf");
        }
        kdc.configure(KRB5.withRealm("ELSEWHERE.TEST"));
        refuses(as(talos, keytab), hadoop(), "no KDC of the realm TALOS.TEST is known", "client-krb5.conf");
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            kdc.configure(KRB5.withPort(silent.getLocalPort()));
            assertThatThrownBy(() -> open(as(talos, keytab), hadoop(), Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("Cannot log in to Kerberos: no KDC answers (no answer within 1 s). Check ");
        }
    }

    @Test
    void whatHdfsRefusesIsNamed() throws Exception {
        makeRoot("hdfs");
        refuses(
                as(talos, keytab),
                hadoop("dfs.namenode.kerberos.principal", "nn/_HOST@TALOS.TEST"),
                "Server has invalid Kerberos principal: " + HdfsCluster.PRINCIPAL,
                "Correct hadoop.dfs.namenode.kerberos.principal (nn/_HOST@TALOS.TEST): it must be the principal of this"
                        + " NameNode.");
        hdfs.mini().getFileSystem().setPermission(path("/"), new org.apache.hadoop.fs.permission.FsPermission("755"));
        Throwable refusal = catchThrowable(() -> HdfsJournalStorage.open(new StorageConfig(
                URI.create(hdfs.uri() + "/other"),
                Duration.ofSeconds(60),
                Duration.ofSeconds(60),
                hadoop(),
                as(talos, keytab))));
        assertThat(refusal)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Permission denied: user=talos")
                .hasMessageEndingWith(
                        "hdfs dfs -mkdir -p /other; hdfs dfs -chown USER /other; hdfs dfs -chmod 700 /other.");
    }

    /** Beside one that is not renewed, so that it is known when a ticket is needed. */
    @Test
    void ticketIsRenewedBeforeItEnds() throws Exception {
        makeRoot("talos");
        kdc.configure(KRB5.withTicketSeconds(40));
        // Each call connects, and so needs a ticket.
        Map<String, String> options = hadoop("ipc.client.connection.maxidletime", "1");
        try (HdfsJournalStorage storage = open(as(talos, keytab), options);
                FileSystem notRenewed = UserGroupInformation.loginUserFromKeytabAndReturnUGI(
                                talos + "@" + Kdc.REALM, keytab.toString())
                        .doAs((PrivilegedExceptionAction<FileSystem>)
                                () -> FileSystem.newInstance(URI.create(hdfs.uri()), configuration(options)))) {
            int files = 0;
            IOException refused;
            do {
                TimeUnit.MILLISECONDS.sleep(BETWEEN_CALLS_MS);
                storage.create("file-" + files++, 0).close();
                refused = refusal(notRenewed);
            } while (refused == null);

            assertThat(refused).hasStackTraceContaining("Failed to find any Kerberos tgt");
            storage.create("file-" + files++, 0).close();
            assertThat(storage.list("")).hasSize(files);
        }
    }

    private IOException refusal(FileSystem fileSystem) {
        try {
            fileSystem.exists(path(root));
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    @Test
    void failedRenewalIsNamedAndLeavesTheOldTicketUntilItEnds() throws Exception {
        String principal = name;
        Path own = kdc.keytab(name, principal);
        kdc.configure(KRB5.withTicketSeconds(60));
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        Configuration options = configuration(hadoop("ipc.client.connection.maxidletime", "1"));
        try (LogLines lines = new LogLines(KerberosUser.class);
                KerberosUser user = KerberosUser.login(as(principal, own), options, now::get);
                FileSystem fileSystem = user.call(() -> FileSystem.newInstance(URI.create(hdfs.uri()), options))) {
            Instant end = user.end();
            kdc.changeKey(principal);

            now.set(end.minusSeconds(5));
            Await.until(() -> !lines.texts().isEmpty());
            assertThat(refusal(fileSystem)).as("the old ticket").isNull();
            assertThat(user.end()).isEqualTo(end);
            assertThat(lines.texts())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "The Kerberos ticket for HDFS cannot be renewed; the old one is valid until " + end + ": "
                                    + principal + "@TALOS.TEST cannot log in to Kerberos with the keytab " + own
                                    + ": the KDC has another key of the principal than the keytab");

            now.set(end.plusSeconds(60));
            Await.until(() -> lines.texts().size() == 2);
            assertThat(lines.texts().get(1))
                    .startsWith("The Kerberos ticket for HDFS cannot be renewed, and ended at " + end
                            + ", so that HDFS refuses connections: ");

            Files.delete(own);
            kdc.export(principal, own);
            Await.until(() -> !user.end().equals(end));
            assertThat(lines.texts()).hasSize(2);
            assertThat(refusal(fileSystem)).isNull();
        }
    }
}
