package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.talosgateway.rest.coordination.ClusterIdentity;
import io.talosgateway.rest.coordination.Election;
import io.talosgateway.rest.coordination.Hosts;
import io.talosgateway.rest.coordination.KeyRecords;
import io.talosgateway.rest.coordination.OwnerQuotas;
import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.coordination.PlacementRecord;
import io.talosgateway.rest.coordination.RecoveryClaims;
import io.talosgateway.rest.coordination.TopicGroups;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.coordination.zookeeper.ClusterLayout.ClusterJson;
import io.talosgateway.rest.topic.OwnerQuota;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.scheduler.NanoClock;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection to ZooKeeper, and the server itself where it is embedded. */
public final class ZooKeeperCoordination implements ClusterIdentity, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ZooKeeperCoordination.class);

    /** Permissions to change something. */
    static final int CHANGES = ZooDefs.Perms.CREATE | ZooDefs.Perms.DELETE | ZooDefs.Perms.WRITE;

    private static final int MOST_NAMED = 5;
    private static final int RETRIES = 5;
    private static final int FIRST_RETRY_MS = 100;
    private static final int LAST_RETRY_MS = 1_000;
    private static final int SECRET_BYTES = 32;
    private static final Duration SESSION_END = Duration.ofSeconds(2);
    /**
     * For answers: the server refuses requests above its own limit, and answers what it was asked. The topics of earlier builds are
     * the children of one node, and may be too many for ZooKeeper's default of one megabyte.
     */
    private static final int MOST_ANSWER_BYTES = 64 << 20;

    private final @Nullable EmbeddedZooKeeper embedded;
    private final CuratorFramework client;
    private final CuratorTopicRegistry topics;
    private final CuratorRecords<TopicGroup> topicGroups;
    private final CuratorRecords<OwnerQuota> ownerQuotas;
    private final CuratorOwnershipRecords ownership;
    private final CuratorHosts hosts;
    private final CuratorPlacementRecord placement;
    private final CuratorKeyRecords keys;
    private final CuratorElection election;
    private final RecoveryClaims claims;
    private final String root;
    private final ClusterLayout layout;
    private final GeneratedSecret generatedSecret;

    private ZooKeeperCoordination(
            @Nullable EmbeddedZooKeeper embedded,
            CuratorFramework client,
            ZooKeeperConfig config,
            NanoClock clock,
            InstantSource wallClock) {
        this.embedded = embedded;
        this.client = client;
        this.root = config.root();
        this.layout = new ClusterLayout(client, root, clock);
        this.generatedSecret = config.generatedSecret();
        this.topics = new CuratorTopicRegistry(client, root, clock);
        this.topicGroups = new CuratorRecords<>(client, root + "/topic-groups", CuratorTopicGroups.KIND);
        this.ownerQuotas = new CuratorRecords<>(client, root + "/owner-quotas", CuratorOwnerQuotas.KIND);
        this.ownership = new CuratorOwnershipRecords(client, root);
        this.hosts = new CuratorHosts(
                client,
                root,
                config.sessionTimeout(),
                embedded != null,
                new LeaseRenewal(root, clock, wallClock),
                clock);
        this.placement = new CuratorPlacementRecord(client, root);
        this.keys = new CuratorKeyRecords(client, root, embedded != null || config.auth() != null);
        this.election = new CuratorElection(client, root);
        this.claims = CuratorMutex.claims(client, root);
    }

    /**
     * Connects, after starting the embedded server if that is configured, and loads the topics.
     *
     * @throws IOException with a sentence for the operator if ZooKeeper cannot be used
     */
    public static ZooKeeperCoordination open(ZooKeeperConfig config, NanoClock clock, InstantSource wallClock)
            throws IOException {
        String connect = config.connect();
        if (connect != null && config.tls() != null) {
            config.tls().check();
        }
        EmbeddedZooKeeper embedded = connect == null ? EmbeddedZooKeeper.start(config.embeddedDirectory()) : null;
        CuratorFramework client = embedded == null
                ? client(config, connect == null ? "" : connect, config.auth())
                : client(config, embedded.connect(), embedded.auth());
        ZooKeeperCoordination coordination = new ZooKeeperCoordination(embedded, client, config, clock, wallClock);
        try {
            coordination.start(config);
            return coordination;
        } catch (IOException | RuntimeException e) {
            coordination.close();
            throw e;
        }
    }

    /** Not started yet. */
    static CuratorFramework client(ZooKeeperConfig config, String connect, @Nullable String auth) {
        ZKClientConfig answers = new ZKClientConfig();
        if (System.getProperty(ZKConfig.JUTE_MAXBUFFER) == null) {
            answers.setProperty(ZKConfig.JUTE_MAXBUFFER, String.valueOf(MOST_ANSWER_BYTES));
        }
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(connect)
                .zkClientConfig(answers)
                .sessionTimeoutMs((int) config.sessionTimeout().toMillis())
                .connectionTimeoutMs((int) config.connectTimeout().toMillis())
                .retryPolicy(new BoundedExponentialBackoffRetry(FIRST_RETRY_MS, LAST_RETRY_MS, RETRIES));
        ZooKeeperTls tls = config.tls();
        if (tls != null && config.connect() != null) {
            // What the ensemble says of itself names its ports for clear text.
            builder.zkClientConfig(tls.clientConfig()).ensembleTracker(false);
        }
        if (auth != null) {
            builder.authorization("digest", auth.getBytes(StandardCharsets.UTF_8))
                    .aclProvider(new OnlyForUs());
        }
        return builder.build();
    }

    private static final class OnlyForUs implements ACLProvider {

        @Override
        public List<ACL> getDefaultAcl() {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }

        @Override
        public List<ACL> getAclForPath(String path) {
            return ZooDefs.Ids.CREATOR_ALL_ACL;
        }
    }

    /** @throws IOException with a sentence for the operator if ZooKeeper does not answer in time */
    static void connect(CuratorFramework client, ZooKeeperConfig config) throws IOException {
        client.start();
        try {
            if (!client.blockUntilConnected((int) config.connectTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IOException(("Cannot reach ZooKeeper at %s within %d s. Check that it runs and that "
                                + "zookeeper.connect names its hosts and client ports.%s")
                        .formatted(
                                client.getZookeeperClient().getCurrentConnectionString(),
                                config.connectTimeout().toSeconds(),
                                config.tls() == null
                                        ? ""
                                        : " With zookeeper.tls these are the secureClientPorts, and each side must trust the "
                                                + "other's certificate; the log says what went wrong."));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while connecting to ZooKeeper", e);
        }
    }

    private void start(ZooKeeperConfig config) throws IOException {
        connect(client, config);
        if (config.connect() == null) {
            closeToOthers();
        } else {
            warnOfOpenNodes(config.auth());
        }
        layout.prepare(embedded != null, config.sessionTimeout().plus(SESSION_END));
        topics.start(config.connectTimeout());
        hosts.start(config.connectTimeout());
        placement.start(config.connectTimeout());
        keys.start(config.connectTimeout());
        topicGroups.start(config.connectTimeout());
        ownerQuotas.start(config.connectTimeout());
    }

    /** The embedded server creates these nodes open: other users of the machine could fill its disk. */
    private void closeToOthers() throws IOException {
        for (String path : List.of("/", "/zookeeper", "/zookeeper/quota")) {
            try {
                ZooKeeperErrors.call(() ->
                        client.setACL().withACL(ZooDefs.Ids.CREATOR_ALL_ACL).forPath(path));
            } catch (KeeperException e) {
                throw new IOException("The node %s of the embedded ZooKeeper cannot be protected".formatted(path), e);
            }
        }
    }

    private void warnOfOpenNodes(@Nullable String auth) throws IOException {
        if (auth == null) {
            log.warn(
                    "Everybody who reaches ZooKeeper can change and delete the topics and the ownership of partitions below {}. Set "
                            + "zookeeper.auth=user:password at all hosts",
                    root);
        } else if (allows(client, root, CHANGES)) {
            log.warn(
                    "Everybody who reaches ZooKeeper can change what was created below {} before zookeeper.auth was set. Restrict "
                            + "it with ZooKeeper's command line: setAcl -R {} auth::cdrwa",
                    root,
                    root);
        }
    }

    @Override
    public @Nullable String clusterId() throws IOException {
        ClusterJson cluster = cluster();
        return cluster == null ? null : cluster.id();
    }

    @Override
    public @Nullable String clusterSecret() throws IOException {
        ClusterJson cluster = cluster();
        if (cluster == null || cluster.secret() == null) {
            return null;
        }
        if (allows(client, clusterPath(), ZooDefs.Perms.READ)) {
            if (generatedSecret != GeneratedSecret.OPEN) {
                throw new IOException(
                        ("Everybody who reaches ZooKeeper can read the secret of the hosts at %s: it was written without "
                                        + "zookeeper.auth. %s To protect it, restrict the node with setAcl once zookeeper.auth is set, and "
                                        + "replace the secret.")
                                .formatted(clusterPath(), ZooKeeperConfig.REMEDY));
            }
            log.warn(
                    "Everybody who reaches ZooKeeper can read the secret of the hosts at {} (zookeeper.allow-open-secret), and with "
                            + "it store, read and delete messages of all topics",
                    clusterPath());
        }
        return cluster.secret();
    }

    /** Whether everybody has one of these permissions; false if there is no such node. */
    static boolean allows(CuratorFramework client, String path, int permissions) throws IOException {
        try {
            return ZooKeeperErrors.call(() -> client.getACL().forPath(path)).stream()
                    .anyMatch(acl ->
                            acl.getId().equals(ZooDefs.Ids.ANYONE_ID_UNSAFE) && (acl.getPerms() & permissions) != 0);
        } catch (KeeperException.NoNodeException | KeeperException.NoAuthException e) {
            return false;
        } catch (KeeperException e) {
            throw new IOException("ZooKeeper did not tell who can use " + path, e);
        }
    }

    private String clusterPath() {
        return layout.clusterPath();
    }

    private @Nullable ClusterJson cluster() throws IOException {
        return layout.read(new Stat());
    }

    /** A new cluster makes itself at home where nobody else is. */
    private void requireEmptyRoot() throws IOException {
        try {
            List<String> found = ZooKeeperErrors.call(() -> client.getChildren().forPath(root)).stream()
                    .filter(name -> !ClusterLayout.isOurs(name))
                    .toList();
            if (!found.isEmpty() && !found.contains("cluster")) {
                throw layout.foreign(
                        "it holds " + String.join(", ", found.subList(0, Math.min(MOST_NAMED, found.size()))), null);
            }
        } catch (KeeperException.NoNodeException e) {
            // Nothing is there.
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
    }

    @Override
    public String createClusterId() throws IOException {
        requireEmptyRoot();
        try {
            byte[] data =
                    RecordJson.write(new ClusterJson(UUID.randomUUID().toString(), ClusterLayout.FORMAT, newSecret()));
            ZooKeeperErrors.call(() -> client.create().creatingParentsIfNeeded().forPath(clusterPath(), data));
        } catch (KeeperException.NodeExistsException e) {
            // Read below.
        } catch (KeeperException e) {
            throw ZooKeeperErrors.unexpected(e);
        }
        String id = clusterId();
        if (id == null) {
            throw new IOException("The cluster's id in ZooKeeper was deleted while this host started");
        }
        return id;
    }

    String connectString() {
        return client.getZookeeperClient().getCurrentConnectionString();
    }

    private @Nullable String newSecret() {
        if (generatedSecret == GeneratedSecret.NONE) {
            return null;
        }
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }

    CuratorFramework client() {
        return client;
    }

    public TopicRegistry topics() {
        return topics;
    }

    public TopicGroups topicGroups() {
        return new CuratorTopicGroups(topicGroups);
    }

    public OwnerQuotas ownerQuotas() {
        return new CuratorOwnerQuotas(ownerQuotas);
    }

    public OwnershipRecords ownership() {
        return ownership;
    }

    public Hosts hosts() {
        return hosts;
    }

    public PlacementRecord placement() {
        return placement;
    }

    public KeyRecords keys() {
        return keys;
    }

    public RecoveryClaims claims() {
        return claims;
    }

    public Election election() {
        return election;
    }

    @Override
    public void close() {
        election.withdraw();
        ownerQuotas.close();
        topicGroups.close();
        keys.close();
        placement.close();
        hosts.close();
        topics.close();
        client.close();
        if (embedded != null) {
            embedded.close();
        }
    }
}
