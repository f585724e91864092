package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.talosgateway.rest.admission.AdmissionConfig;
import io.talosgateway.rest.auth.AuthConfig;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.consumergroup.GroupConfig;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.zookeeper.GeneratedSecret;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperConfig;
import io.talosgateway.rest.fetch.FetchConfig;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.hosting.HostingConfig;
import io.talosgateway.rest.hosting.RecentPutsConfig;
import io.talosgateway.rest.http.HttpConfig;
import io.talosgateway.rest.http.ops.OpsConfig;
import io.talosgateway.rest.http.rest.StreamConfig;
import io.talosgateway.rest.http.tls.TlsConfig;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.hdfs.KerberosConfig;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.rest.peer.PeerConfig;
import io.talosgateway.rest.placement.PlacementConfig;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topicadmin.TopicConfig;
import io.talosgateway.rest.topicadmin.TopicLimits;
import io.talosgateway.rest.transaction.TransactionConfig;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.QueueLimits.Limit;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a gateway, checked.
 *
 * @param dataDirectory where the gateway keeps what is not in the storage: keys, and the embedded ZooKeeper's data
 * @param advertise {@code host:port} at which clients reach this gateway over plain HTTP; null for where it listens
 * @param tls null if there is none
 * @param cluster for a host that is not alone
 * @param peer how other hosts reach this one
 * @param forward how this host reaches others
 * @param logs what is noted of requests, and where
 * @param answerThreads threads that complete puts and write their answers
 * @param dispatch what a request holds while it waits
 * @param drainTimeout how long requests that are under way may take at shutdown
 * @param warmUp for how long a server exercises its code before it is ready; zero for not at all
 */
public record GatewayConfig(
        Path dataDirectory,
        HttpConfig http,
        @Nullable String advertise,
        @Nullable TlsConfig tls,
        OpsConfig ops,
        HostingConfig hosting,
        StorageConfig storage,
        ZooKeeperConfig zookeeper,
        ClusterConfig cluster,
        PeerConfig peer,
        ForwardConfig forward,
        AuthConfig auth,
        LogConfig logs,
        MessageLimits limits,
        AdmissionConfig admission,
        FetchConfig fetch,
        GroupConfig groups,
        TransactionConfig transactions,
        StreamConfig streams,
        TopicConfig topics,
        KeyedThreadPoolConfig putPool,
        KeyedThreadPoolConfig getPool,
        KeyedThreadPoolConfig controlPool,
        int answerThreads,
        Dispatch dispatch,
        Duration drainTimeout,
        Duration warmUp) {

    private static final Map<String, Dispatch> DISPATCHES =
            Map.of("asynchronous", Dispatch.ASYNCHRONOUS, "blocking", Dispatch.BLOCKING);
    private static final Map<String, Intent> ON_STOP = Map.of("release", Intent.LEAVE, "wait", Intent.RESTART);
    private static final Map<String, JournalLayout> LAYOUTS =
            Map.of("shared-lanes", JournalLayout.SHARED_LANES, "file-per-partition", JournalLayout.FILE_PER_PARTITION);

    private static final int OPS_THREADS = 8;

    /**
     * Reads a configuration.
     *
     * @param values by key, as in the configuration file
     * @throws ConfigException with a sentence for the operator
     */
    public static GatewayConfig of(Map<String, String> values) {
        return read(new Settings(values));
    }

    /** All keys with their defaults on this machine; empty if there is none. */
    public static Map<String, String> defaults() {
        Settings settings = new Settings(Map.of());
        read(settings);
        return settings.defaults();
    }

    /** What values each key takes, in a few words such as {@code duration}. */
    public static Map<String, String> kinds() {
        Settings settings = new Settings(Map.of());
        read(settings);
        return settings.kinds();
    }

    /**
     * Refuses secrets among values that came from a command line.
     *
     * @throws ConfigException with a sentence for the operator
     */
    public static void refuseSecrets(Map<String, String> fromCommandLine) {
        for (String key : plainSecrets(fromCommandLine)) {
            throw new ConfigException(
                    ("Everybody on this machine can see the value of %s on the command line (ps). Write it into a file that "
                                    + "only you can read, and say --set %s=@FILE; or set it in the configuration file.")
                            .formatted(key, key));
        }
    }

    /** The files that hold secrets which these values name behind an {@code @}, by key. */
    public static Map<String, Path> secretFiles(Map<String, String> values) {
        Map<String, Path> files = new TreeMap<>();
        secrets(values).forEach((key, value) -> {
            if (value.startsWith(Settings.FILE)) {
                files.put(key, Path.of(value.substring(Settings.FILE.length())));
            }
        });
        return files;
    }

    /** The keys whose value is a secret itself. */
    public static Set<String> plainSecrets(Map<String, String> values) {
        return secrets(values).entrySet().stream()
                .filter(secret -> !secret.getValue().startsWith(Settings.FILE))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Those of the values that are secrets, or name the file of one. */
    private static Map<String, String> secrets(Map<String, String> values) {
        Settings settings = new Settings(Map.of());
        read(settings);
        Map<String, String> found = new TreeMap<>();
        for (String key : settings.secrets()) {
            String value = values.getOrDefault(key, "").trim();
            if (!value.isEmpty()) {
                found.put(key, value);
            }
        }
        return found;
    }

    /**
     * The configuration file's values, overridden by others.
     *
     * @throws ConfigException if the file cannot be read
     */
    public static Map<String, String> load(Path file, Map<String, String> overrides) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new ConfigException("There is no configuration file " + file, e);
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("The configuration file " + file + " cannot be read: " + e.getMessage(), e);
        }
        Map<String, String> values = new HashMap<>();
        properties.forEach((key, value) -> values.put(String.valueOf(key), String.valueOf(value)));
        values.putAll(overrides);
        return values;
    }

    /** The same, but for the storage and TLS. */
    GatewayConfig with(StorageConfig otherStorage, @Nullable TlsConfig otherTls) {
        return new GatewayConfig(
                dataDirectory,
                http,
                advertise,
                otherTls,
                ops,
                hosting,
                otherStorage,
                zookeeper,
                cluster,
                peer,
                forward,
                auth,
                logs,
                limits,
                admission,
                fetch,
                groups,
                transactions,
                streams,
                topics,
                putPool,
                getPool,
                controlPool,
                answerThreads,
                dispatch,
                drainTimeout,
                warmUp);
    }

    static GatewayConfig read(Settings settings) {
        try {
            GatewayConfig config = readAll(settings);
            settings.refuseUnknown();
            return config;
        } catch (IllegalArgumentException e) {
            // Keys behind the bad one were not read, so that nothing can be said of keys that are not known.
            throw new ConfigException(String.valueOf(e.getMessage()), e);
        }
    }

    private static GatewayConfig readAll(Settings settings) {
        int cores = Runtime.getRuntime().availableProcessors();
        Path data = Path.of(settings.string("data.directory", "data"))
                .toAbsolutePath()
                .normalize();
        HttpConfig http = http(settings, cores);
        StorageConfig storage = storage(settings, data);
        return new GatewayConfig(
                data,
                http,
                settings.optional("http.advertise"),
                TlsSettings.read(settings, http.enabled()),
                ops(settings, http.enabled()),
                hosting(settings, lanes(storage, cores)),
                storage,
                zookeeper(settings, data),
                cluster(settings),
                peer(settings),
                forward(settings),
                new AuthConfig(
                        path(settings, "auth.key-file", data.resolve("keys.json")),
                        settings.duration("auth.clock-tolerance", Duration.ofMinutes(15)),
                        settings.bool("auth.allow-guests", false),
                        settings.bool("auth.refuse-replays", false),
                        settings.integer("auth.max-remembered-requests", 100_000),
                        settings.secret("auth.key-encryption-secret"),
                        TokenSettings.read(settings)),
                LogConfig.read(settings),
                limits(settings),
                new AdmissionConfig(
                        settings.size("admission.max-bytes-in-flight", partOfHeap(4)),
                        settings.integer("admission.max-requests-in-flight", 20_000),
                        settings.integer("fetch.max-waiters", 10_000),
                        settings.integer("admission.max-percent-per-key", 50),
                        settings.integer("admission.max-percent-per-address", 50)),
                new FetchConfig(
                        settings.integer("fetch.max-messages", 20_000),
                        settings.size("fetch.max-size", DataSize.ofMiB(10)),
                        settings.duration("fetch.max-wait", Duration.ofMinutes(1)),
                        settings.integer("fetch.max-waiters", 10_000)),
                new GroupConfig(
                        settings.duration("consumer-group.lease", Duration.ofSeconds(30)),
                        GroupConfig.DEFAULT_MAX_SIZE,
                        GroupConfig.DEFAULT_MIN_SUPERSEDED),
                new TransactionConfig(
                        settings.duration("transaction.timeout", Duration.ofMinutes(10)),
                        settings.size("transaction.max-prepared-size", smaller(partOfHeap(128), DataSize.ofMiB(256))),
                        TransactionConfig.DEFAULT_MAX_PREPARED,
                        TransactionConfig.DEFAULT_MAX_REMEMBERED,
                        TransactionConfig.DEFAULT_MIN_SUPERSEDED),
                new StreamConfig(
                        settings.integer("stream.max-streams", 1_000),
                        settings.integer("stream.max-percent-per-client", 50),
                        settings.duration("stream.heartbeat", Duration.ofSeconds(15))),
                topics(settings),
                PoolConfig.read(settings, "put", Math.max(2, cores), queue(20_000, 8), queue(5_000, 32)),
                PoolConfig.read(settings, "get", Math.max(8, 2 * cores), queue(20_000, 8), queue(5_000, 32)),
                PoolConfig.read(settings, "control", 4, queue(1_000, 8), queue(100, 32)),
                settings.integer("answer.threads", Math.max(4, 2 * cores)),
                settings.choice("dispatch.mode", DISPATCHES, "asynchronous"),
                settings.duration("shutdown.drain-timeout", Duration.ofSeconds(20)),
                settings.duration("warm-up.time", Duration.ofSeconds(3)));
    }

    private static OpsConfig ops(Settings settings, boolean plainHttp) {
        boolean tls = settings.bool("ops.tls", false);
        if (tls && settings.optional("tls.certificate") == null && settings.optional("tls.key-store") == null) {
            throw new ConfigException("ops.tls=true needs a certificate: set tls.certificate and tls.key.");
        }
        HttpConfig listen = new HttpConfig(
                !tls,
                settings.string("ops.host", "127.0.0.1"),
                settings.integer("ops.port", 8081),
                OPS_THREADS,
                100,
                100,
                Duration.ofSeconds(30),
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                DataSize.ofKiB(1),
                Duration.ofSeconds(10),
                Set.of());
        Set<String> hosts = settings.list("ops.allowed-hosts").stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        // Where keys are not to cross the network in clear text, they do not on this port either.
        boolean console = settings.bool("ops.console", plainHttp || tls);
        return new OpsConfig(listen, tls, settings.bool("ops.require-key", false), console, hosts);
    }

    private static HttpConfig http(Settings settings, int cores) {
        int maxConnections = settings.integer("http.max-connections", 20_000);
        return new HttpConfig(
                settings.bool("http.enabled", true),
                settings.string("http.host", "127.0.0.1"),
                settings.integer("http.port", 8080),
                settings.integer("http.threads", Math.max(16, 4 * cores)),
                maxConnections,
                settings.integer("http.max-connections-per-address", Math.max(1, maxConnections / 2)),
                settings.duration("http.idle-timeout", Duration.ofSeconds(60)),
                settings.duration("http.header-timeout", Duration.ofSeconds(15)),
                settings.duration("http.body-timeout", Duration.ofSeconds(30)),
                settings.size("http.min-rate", DataSize.ofKiB(16)),
                settings.duration("http.request-timeout", Duration.ofSeconds(10)),
                settings.list("http.allowed-origins"));
    }

    private static HostingConfig hosting(Settings settings, int lanes) {
        return new HostingConfig(
                settings.string("host.name", "gateway-1"),
                new JournalConfig(
                        settings.choice("journal.layout", LAYOUTS, "shared-lanes"),
                        settings.integer("journal.lanes", lanes),
                        durability(settings),
                        settings.size("journal.file-size", DataSize.ofMiB(256)),
                        settings.duration("journal.file-age", Duration.ofHours(1)),
                        settings.size("journal.max-group-size", DataSize.ofMiB(8)),
                        settings.integer("journal.max-group-puts", 2_000),
                        settings.size("journal.max-queued-size", partOfHeap(32)),
                        settings.integer("journal.max-queued-puts", 20_000),
                        settings.size("journal.tail-cache-size", partOfHeap(8)),
                        settings.size("journal.read-page-size", DataSize.ofMiB(1)),
                        settings.size("journal.read-ahead-cache-size", partOfHeap(16)),
                        settings.size("journal.index-cache-size", partOfHeap(32)),
                        JournalConfig.INDEXED_FILES,
                        settings.size("journal.min-free-size", DataSize.ofMiB(256)),
                        settings.integer("journal.min-replicas", 1),
                        settings.bool("journal.accept-damage", false)),
                new RecentPutsConfig(
                        settings.duration("idempotency.max-age", Duration.ofMinutes(15)),
                        settings.integer("idempotency.max-per-partition", 10_000),
                        settings.integer("idempotency.max-total", 200_000)),
                settings.duration("topic.owner-wait", Duration.ofSeconds(5)));
    }

    private static PeerConfig peer(Settings settings) {
        PeerConfig defaults = PeerConfig.DEFAULT;
        long twoFrames = 2 * defaults.maxFrame().toBytes();
        return new PeerConfig(
                settings.string("peer.host", defaults.host()),
                settings.integer("peer.port", 8082),
                settings.size("peer.max-frame-size", defaults.maxFrame()),
                settings.size(
                        "peer.max-unanswered-size",
                        new DataSize(Math.max(twoFrames, partOfHeap(4).toBytes()))),
                settings.integer("peer.max-connections", defaults.maxConnections()),
                settings.integer("peer.max-strangers", defaults.maxStrangers()),
                settings.duration("peer.handshake-timeout", defaults.handshakeTimeout()),
                settings.duration("peer.transfer-timeout", defaults.transferTimeout()));
    }

    private static ForwardConfig forward(Settings settings) {
        ForwardConfig defaults = ForwardConfig.DEFAULT;
        return new ForwardConfig(
                settings.integer("forward.max-connections", defaults.maxConnections()),
                settings.integer("forward.max-waiting-gets", defaults.maxWaitingGets()),
                settings.integer("forward.max-queued", defaults.maxQueued()),
                settings.size("forward.max-queued-size", partOfHeap(16)),
                settings.size("peer.max-frame-size", defaults.maxFrame()),
                settings.duration("forward.connect-timeout", defaults.connectTimeout()),
                settings.duration("forward.idle-timeout", defaults.idleTimeout()),
                settings.duration("forward.reserve", defaults.reserve()),
                settings.duration("forward.min-back-off", defaults.minBackOff()),
                settings.duration("forward.max-back-off", defaults.maxBackOff()));
    }

    private static ClusterConfig cluster(Settings settings) {
        return new ClusterConfig(
                new PlacementConfig(
                        settings.duration("cluster.join-delay", Duration.ofSeconds(1)),
                        settings.duration("cluster.removal-delay", Duration.ofSeconds(5)),
                        settings.duration("cluster.restart-delay", Duration.ofMinutes(2))),
                settings.duration("cluster.move-wait", Duration.ofSeconds(2)),
                settings.duration("cluster.stop-notice", Duration.ofSeconds(1)),
                settings.choice("cluster.on-stop", ON_STOP, "release"),
                settings.duration("cluster.stop-timeout", Duration.ofSeconds(20)),
                settings.optional("peer.advertise"),
                settings.secret("peer.secret"),
                TlsSettings.readPeer(settings));
    }

    /** On HDFS, one lane works while another waits for the network. On a local disk, larger groups are worth more. */
    private static int lanes(StorageConfig storage, int cores) {
        return storage.isLocal() ? Math.max(1, Math.min(4, cores / 2)) : Math.max(2, Math.min(4, cores));
    }

    private static Durability durability(Settings settings) {
        try {
            return Durability.parse(settings.string("journal.durability", Durability.DISK.text()));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("journal.durability: " + e.getMessage(), e);
        }
    }

    private static StorageConfig storage(Settings settings, Path data) {
        String root = settings.optional("storage.root");
        URI uri;
        try {
            uri = root == null ? data.resolve("storage").toUri() : URI.create(root);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("storage.root is not a URI: " + root, e);
        }
        return new StorageConfig(
                uri,
                settings.duration("storage.connect-timeout", Duration.ofSeconds(30)),
                settings.duration("storage.fence-timeout", Duration.ofMinutes(2)),
                settings.startingWith("hadoop."),
                kerberos(settings));
    }

    private static @Nullable KerberosConfig kerberos(Settings settings) {
        String principal = settings.optional("storage.kerberos.principal");
        String keytab = settings.optional("storage.kerberos.keytab");
        if (principal == null && keytab == null) {
            return null;
        }
        if (principal == null || keytab == null) {
            throw new ConfigException(
                    "storage.kerberos.principal and storage.kerberos.keytab belong together: set both.");
        }
        return new KerberosConfig(principal, Path.of(keytab).toAbsolutePath().normalize());
    }

    private static ZooKeeperConfig zookeeper(Settings settings, Path data) {
        return new ZooKeeperConfig(
                settings.optional("zookeeper.connect"),
                settings.string("zookeeper.root", "/talos"),
                data.resolve("zookeeper"),
                settings.secret("zookeeper.auth"),
                generatedSecret(settings),
                settings.duration("zookeeper.session-timeout", Duration.ofSeconds(10)),
                settings.duration("zookeeper.connect-timeout", Duration.ofSeconds(20)),
                TlsSettings.readZooKeeper(settings));
    }

    private static GeneratedSecret generatedSecret(Settings settings) {
        boolean open = settings.bool("zookeeper.allow-open-secret", false);
        if (settings.secret("peer.secret") != null) {
            return GeneratedSecret.NONE;
        }
        return open ? GeneratedSecret.OPEN : GeneratedSecret.PROTECTED;
    }

    private static MessageLimits limits(Settings settings) {
        MessageLimits defaults = MessageLimits.DEFAULT;
        return new MessageLimits(
                settings.size("http.max-body-size", defaults.maxBodySize()),
                settings.size("message.max-size", defaults.maxMessageSize()),
                settings.integer("message.max-per-put", defaults.maxMessagesPerPut()),
                settings.integer("message.max-blocks-per-put", defaults.maxBlocksPerPut()));
    }

    private static TopicConfig topics(Settings settings) {
        return new TopicConfig(
                settings.integer("topic.default-partitions", 8),
                settings.integer("topic.max-partitions", 256),
                settings.duration("topic.default-retention", Duration.ofHours(24)),
                settings.duration("topic.min-retention", Duration.ofHours(1)),
                settings.duration("topic.max-retention", Duration.ofDays(365)),
                new TopicLimits(
                        settings.integer("topic.max-topics", 100_000),
                        settings.integer("topic.max-topics-per-owner", 5_000),
                        settings.integer("topic.max-partitions-total", 300_000),
                        settings.integer("topic.max-partitions-per-owner", 40_000)));
    }

    /** Whether ZooKeeper is inside this process: then there are no other hosts. */
    public boolean isAlone() {
        return zookeeper.connect() == null;
    }

    private static Path path(Settings settings, String key, Path otherwise) {
        return Path.of(settings.string(key, otherwise.toString()))
                .toAbsolutePath()
                .normalize();
    }

    private static Limit queue(int tasks, int partOfHeap) {
        return new Limit(tasks, partOfHeap(partOfHeap).toBytes());
    }

    private static DataSize smaller(DataSize one, DataSize other) {
        return one.toBytes() < other.toBytes() ? one : other;
    }

    private static DataSize partOfHeap(int divisor) {
        return DataSize.ofMiB(Math.max(4, (Runtime.getRuntime().maxMemory() / divisor) >> 20));
    }
}
