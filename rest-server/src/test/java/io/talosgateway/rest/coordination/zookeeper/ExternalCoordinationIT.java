package io.talosgateway.rest.coordination.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.coordination.HostExistsException;
import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.KeyRecords;
import io.talosgateway.rest.coordination.KeyRecords.Known;
import io.talosgateway.rest.coordination.KeyRecords.Sealed;
import io.talosgateway.rest.coordination.ReadLease;
import io.talosgateway.rest.coordination.TopicGroups;
import io.talosgateway.rest.coordination.TopicRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.peer.LogLines;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicMetadata;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ExternalCoordinationIT extends CoordinationContract {

    private static final AtomicInteger roots = new AtomicInteger();
    private static final int TICK_MS = 500;
    private static final String AUTH = "hosts:of the tests";

    @TempDir
    static Path directory;

    private static TestingServer server;

    private final String root = "/talos-" + roots.incrementAndGet();

    @BeforeAll
    static void startServer() throws Exception {
        server = new TestingServer(new InstanceSpec(directory.toFile(), -1, -1, -1, false, 1, TICK_MS, 1_000), true);
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    @Override
    ZooKeeperConfig config() {
        return config(server.getConnectString(), root, AUTH, GeneratedSecret.PROTECTED);
    }

    private static ZooKeeperConfig config(String connect, String root, @Nullable String auth, GeneratedSecret secret) {
        return config(connect, root, auth, secret, Duration.ofSeconds(10));
    }

    private static ZooKeeperConfig config(
            String connect, String root, @Nullable String auth, GeneratedSecret secret, Duration patience) {
        return new ZooKeeperConfig(connect, root, directory, auth, secret, Duration.ofSeconds(5), patience);
    }

    @Test
    void changesOfOneHostAreSeenByAnother() throws Exception {
        try (ZooKeeperCoordination other = open(config())) {
            assertThat(other.createClusterId()).isEqualTo(coordination.createClusterId());
            TopicMetadata topic = topic("t", 1);
            coordination.topics().create(topic);
            Await.asLongAs(() -> other.topics().find(topic.id()) == null);
            assertThat(other.topics().find(topic.name())).isEqualTo(topic);
            TopicMetadata changed = topic.with(2, topic.retention(), topic.attributes());
            other.topics().update(topic, changed);
            Await.asLongAs(() -> !changed.equals(coordination.topics().find(topic.name())));
            coordination.topics().delete(changed);
            Await.asLongAs(() -> other.topics().find(topic.id()) != null);
            assertThat(other.topics().find(topic.name())).isNull();
        }
    }

    @Test
    void topicGroupsOfOneHostAreSeenByAnother() throws Exception {
        TopicGroups ours = coordination.topicGroups();
        try (ZooKeeperCoordination other = open(config())) {
            TopicGroup group = group("g", "a");
            TopicGroup changed = group("g", "b");
            ours.create(group);
            Await.until(() -> group.equals(other.topicGroups().find(group.name())));
            other.topicGroups().update(group, changed);
            // Whoever has not seen it yet does not undo it.
            try {
                ours.update(group, group("g", "c"));
            } catch (GatewayException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED);
            }
            Await.until(() -> changed.equals(ours.find(group.name())));
            ours.delete(changed);
            Await.until(() -> other.topicGroups().find(group.name()) == null);
            other.topicGroups().create(group);
            Await.until(() -> group.equals(ours.find(group.name())));
        }
    }

    @Test
    void nodeThatIsNoTopicGroupIsIgnoredAndItsNameTakenUntilItIsRepaired() throws Exception {
        TopicGroup group = group("g", "a");
        String path = root + "/topic-groups/g";
        try (CuratorFramework other = stranger(AUTH)) {
            other.create().creatingParentsIfNeeded().forPath(path, "garbage".getBytes(StandardCharsets.UTF_8));
            reopen();
            assertThat(coordination.topicGroups().find(group.name())).isNull();
            assertFails(
                    ErrorCode.TOPIC_GROUP_EXISTS,
                    () -> coordination.topicGroups().create(group));
            // Right as such, but of another name.
            other.setData().forPath(path, RecordJson.encode(group("h", "a")));
            reopen();
            assertThat(coordination.topicGroups().all()).isEmpty();

            other.setData().forPath(path, RecordJson.encode(group));
            Await.until(() -> group.equals(coordination.topicGroups().find(group.name())));
        }
    }

    @Test
    void nameOfALivingHostIsTaken() throws Exception {
        coordination.hosts().register(new HostInfo("a", 1, "127.0.0.1:1", "", HostInfo.Intent.SERVE));
        try (ZooKeeperCoordination other = open(config())) {
            assertThatThrownBy(() ->
                            other.hosts().register(new HostInfo("a", 2, "127.0.0.1:2", "", HostInfo.Intent.SERVE)))
                    .isInstanceOf(HostExistsException.class)
                    .hasMessageContaining("'a' is running (at 127.0.0.1:1)")
                    .hasMessageContaining("host.name");
        }
    }

    @Test
    void nameOfAHostThatDiedIsFreeWhenItsSessionEnds() throws Exception {
        ZooKeeperCoordination dead = open(config());
        HostInfo host = new HostInfo("a", 1, "127.0.0.1:1", "", HostInfo.Intent.SERVE);
        dead.hosts().register(host);
        Thread death = new Thread(() -> {
            // Whoever waits for the name is told of these, too.
            for (int change = 0; change < 20; change++) {
                dead.hosts().announce(host.with(HostInfo.Intent.RESTART));
            }
            dead.close();
        });
        death.start();

        coordination.hosts().register(new HostInfo("a", 2, "127.0.0.1:2", "", HostInfo.Intent.SERVE));
        death.join();
    }

    @Test
    void unreachableServerIsNamedWithinTheTimeout() {
        assertThatThrownBy(
                        () -> open(config("127.0.0.1:1", root, AUTH, GeneratedSecret.PROTECTED, Duration.ofSeconds(3))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot reach ZooKeeper at 127.0.0.1:1 within 3 s")
                .hasMessageContaining("zookeeper.connect");
    }

    @Test
    void pathThatBelongsToSomebodyElseIsRefused() throws Exception {
        try (CuratorFramework other = stranger(AUTH)) {
            other.create()
                    .creatingParentsIfNeeded()
                    .forPath(root + "/cluster", "theirs".getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(coordination::clusterId)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("does not hold a Talos Gateway's data")
                    .hasMessageContaining("zookeeper.root");
            assertThatThrownBy(() -> open(config()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("does not hold a Talos Gateway's data");
            other.delete().forPath(root + "/cluster");
            other.create().forPath(Shards.pathOf(root + "/topic-directory", "theirs"), new byte[] {1, 2});
        }
        // A topic that is not known would be taken for deleted, and its messages with it.
        assertThatThrownBy(() -> open(config()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("/theirs in ZooKeeper is not a topic's metadata");
    }

    private CuratorFramework stranger(@Nullable String auth) {
        CuratorFrameworkFactory.Builder builder = CuratorFrameworkFactory.builder()
                .connectString(server.getConnectString())
                .retryPolicy(new RetryOneTime(1));
        if (auth != null) {
            builder.authorization("digest", auth.getBytes(StandardCharsets.UTF_8));
        }
        CuratorFramework client = builder.build();
        client.start();
        return client;
    }

    @Test
    void strangerReadsNothing() throws Exception {
        coordination.createClusterId();
        try (CuratorFramework stranger = stranger("hosts:of others")) {
            assertThatThrownBy(() -> stranger.getData().forPath(root + "/cluster"))
                    .isInstanceOf(KeeperException.NoAuthException.class);
            assertThatThrownBy(() -> stranger.getChildren().forPath(root))
                    .isInstanceOf(KeeperException.NoAuthException.class);
        }
    }

    /** By a host that was allowed to, before this one was given credentials. */
    @Test
    void secretThatLiesOpenIsNotUsed() throws Exception {
        String openRoot = root + "-open";
        ZooKeeperConfig open = config(server.getConnectString(), openRoot, null, GeneratedSecret.OPEN);
        try (LogLines log = new LogLines(ZooKeeperCoordination.class);
                ZooKeeperCoordination allowed = open(open)) {
            allowed.createClusterId();
            assertThat(allowed.clusterSecret()).hasSize(64);
            assertThat(log.texts()).hasSize(2);
            assertThat(log.texts().get(0)).contains("can change and delete the topics", openRoot, "zookeeper.auth=");
            assertThat(log.texts().get(1)).contains("can read the secret", "zookeeper.allow-open-secret");
        }
        ZooKeeperConfig strict = config(server.getConnectString(), openRoot, AUTH, GeneratedSecret.PROTECTED);
        try (LogLines log = new LogLines(ZooKeeperCoordination.class);
                ZooKeeperCoordination refused = open(strict)) {
            assertThat(log.texts())
                    .singleElement()
                    .asString()
                    .contains("before zookeeper.auth was set", "setAcl -R " + openRoot);
            assertThatThrownBy(refused::clusterSecret)
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(openRoot + "/cluster", "zookeeper.auth", "peer.secret");
        }
    }

    @Test
    void noSecretIsLeftInZooKeeperWhereItIsConfigured() throws Exception {
        String openRoot = root + "-configured";
        ZooKeeperConfig config = config(server.getConnectString(), openRoot, null, GeneratedSecret.NONE);
        try (ZooKeeperCoordination configured = open(config);
                CuratorFramework stranger = stranger(null)) {
            configured.createClusterId();

            assertThat(configured.clusterSecret()).isNull();
            assertThat(new String(stranger.getData().forPath(openRoot + "/cluster"), StandardCharsets.UTF_8))
                    .contains("\"secret\":null");
        }
    }

    @Test
    void keysAreSeenByAllHostsAndNotByStrangers() throws Exception {
        KeyRecords keys = coordination.keys();
        try (ZooKeeperCoordination other = open(config());
                CuratorFramework stranger = stranger(null)) {
            keys.create("k", new Sealed("s", "first"));
            assertThat(keys.find("k")).isEqualTo(new Known(new Sealed("s", "first"), null, 0));
            Await.until(() -> other.keys().find("k") != null);
            assertThatThrownBy(() -> stranger.getData().forPath(root + "/keys/k"))
                    .isInstanceOf(KeeperException.NoAuthException.class);

            assertThat(other.keys().replace("k", 0, new Sealed("s", "second"))).isTrue();
            assertThat(other.keys().replace("k", 0, new Sealed("s", "third"))).isFalse();
            Await.until(() -> new Known(new Sealed("s", "second"), null, 1).equals(keys.find("k")));
            keys.delete("k");
            assertThat(keys.find("k")).isNull();
            keys.delete("k");
            Await.until(() -> other.keys().find("k") == null);
            assertThat(other.keys().replace("k", 1, new Sealed("s", "again"))).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"version\":2,\"sealedWith\":\"s\",\"content\":\"c\"}", "{}", "garbage", ""})
    void keyThatCannotBeReadIsNoKeyAndCanBeDeleted(String content) throws Exception {
        KeyRecords keys = coordination.keys();
        keys.create("k", new Sealed("s", "c"));
        try (CuratorFramework other = stranger(AUTH)) {
            other.setData().forPath(root + "/keys/k", content.getBytes(StandardCharsets.UTF_8));
            Await.until(() -> keys.find("k").sealed() == null);
            assertThat(keys.find("k").problem()).isNotBlank();
            assertThat(keys.all()).containsOnlyKeys("k");
            reopen();
            assertThat(coordination.keys().find("k").sealed()).isNull();
            coordination.keys().delete("k");
            assertThat(coordination.keys().all()).isEmpty();
        }
    }

    @Test
    void keysAreReadOnlyWhereEverybodyCouldChangeThem() throws Exception {
        assertThat(coordination.keys().whyReadOnly()).isNull();
        try (ZooKeeperCoordination open =
                open(config(server.getConnectString(), root + "-open", null, GeneratedSecret.OPEN))) {
            assertThat(open.keys().whyReadOnly()).contains("zookeeper.auth");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"version\":2}", "{\"version\":\"x\"}", "[]", "{}", "garbage", ""})
    void topicThatCannotBeReadIsNotTakenForDeleted(String content) throws Exception {
        TopicRegistry topics = coordination.topics();
        TopicMetadata known = topic("known", 1);
        topics.create(known);
        try (CuratorFramework other = stranger(AUTH)) {
            String path = Shards.pathOf(root + "/topic-directory", "new");
            other.create().forPath(path, content.getBytes(StandardCharsets.UTF_8));
            assertThatThrownBy(topics::idsNow)
                    .isInstanceOf(GatewayException.class)
                    .hasMessageContainingAll(path + " in ZooKeeper is not a topic's metadata");
            Await.until(() -> topics.unreadable().equals(Set.of(path)));
            assertThat(topics.find(known.name())).isEqualTo(known);

            TopicMetadata repaired = topic("new", 2);
            other.setData().forPath(path, RecordJson.encode(repaired));
            Await.until(() -> topics.unreadable().isEmpty());
            assertThat(topics.idsNow()).containsExactlyInAnyOrder(known.id(), repaired.id());

            other.setData().forPath(path, content.getBytes(StandardCharsets.UTF_8));
            Await.until(() -> topics.unreadable().equals(Set.of(path)));
            assertThat(topics.find(repaired.name())).as("as it was").isEqualTo(repaired);
            other.delete().forPath(path);
            Await.until(() -> topics.unreadable().isEmpty() && topics.find(repaired.name()) == null);
            assertThat(topics.idsNow()).containsExactly(known.id());
        }
    }

    @Test
    void recordsOfANewerReleaseAreRefusedByName() throws Exception {
        TopicMetadata topic = topic("t", 1);
        coordination.topics().create(topic);
        try (CuratorFramework other = stranger(AUTH)) {
            byte[] newer = "{\"version\":99,\"owner\":7}".getBytes(StandardCharsets.UTF_8);
            String path = Shards.pathOf(root + "/ownership", topic.id()) + "/0";
            other.create().creatingParentsIfNeeded().forPath(path, newer);
            assertThatThrownBy(() ->
                            coordination.ownership().read(topic.allPartitions().toList()))
                    .isInstanceOf(GatewayException.class)
                    .hasMessageContainingAll(path, "version 99", "upgrade this gateway");
            other.create().forPath(root + "/cluster", newer);
            assertThatThrownBy(coordination::clusterId)
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll(root + "/cluster", "version 99", "upgrade this gateway");
        }
    }

    @Test
    void leaseEndsBeforeTheSessionCanIfTheServerStops() throws Exception {
        ReadLease lease = coordination.hosts().register(host(1));
        awaitHeld(lease);

        server.stop();
        // Whatever it has confirmed, it was asked before.
        long stoppedNanos = System.nanoTime();
        long leaseNanos = config().sessionTimeout().toNanos() * 2 / 3;
        Await.asLongAs(() -> System.nanoTime() - stoppedNanos < leaseNanos);

        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.whyNotHeld()).containsAnyOf("no confirmation from ZooKeeper for", "session");
        server.restart();
    }

    @Test
    void leaseEndsWithItsSessionAndTheNextOneDoesNotReviveIt() throws Exception {
        Semaphore newSessions = new Semaphore(0);
        coordination.hosts().onNewSession(newSessions::release);
        ReadLease lease = coordination.hosts().register(host(1));
        awaitHeld(lease);

        endSession();
        newSessions.acquire();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.whyNotHeld()).isEqualTo("the ZooKeeper session in which this host was registered has ended");
        ReadLease next = coordination.hosts().register(host(2));

        awaitHeld(next);
        assertThat(lease.isHeld()).isFalse();
    }

    /** Whatever the list of hosts says: another host's watches may be late. */
    @Test
    void hostIsGoneOnceItsSessionHasEnded() throws Exception {
        Semaphore newSessions = new Semaphore(0);
        coordination.hosts().onNewSession(newSessions::release);
        try (ZooKeeperCoordination other = open(config());
                CuratorFramework broken = stranger(AUTH)) {
            coordination.hosts().register(host(1));
            assertThat(other.hosts().isGone("a", 1)).isFalse();

            endSession();
            assertThat(other.hosts().isGone("a", 1)).isTrue();
            newSessions.acquire();
            coordination.hosts().register(host(2));
            assertThat(other.hosts().isGone("a", 1)).isTrue();
            assertThat(other.hosts().isGone("a", 2)).isFalse();

            broken.setData().forPath(root + "/hosts/a", "garbage".getBytes(StandardCharsets.UTF_8));
            assertThat(other.hosts().isGone("a", 2)).as("it may be it").isFalse();
        }
    }

    /** As ZooKeeper's documentation says: a second client takes the session over, and closes it. */
    private void endSession() throws Exception {
        ZooKeeper ours = coordination.client().getZookeeperClient().getZooKeeper();
        CountDownLatch connected = new CountDownLatch(1);
        try (ZooKeeper duplicate = new ZooKeeper(
                server.getConnectString(),
                10_000,
                event -> {
                    if (event.getState() == Watcher.Event.KeeperState.SyncConnected) {
                        connected.countDown();
                    }
                },
                ours.getSessionId(),
                ours.getSessionPasswd())) {
            assertThat(connected.await(120, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void lostSessionIsToldOnceAndOutagesAreErrors() throws Exception {
        Semaphore newSessions = new Semaphore(0);
        coordination.hosts().onNewSession(newSessions::release);
        TopicMetadata topic = topic("t", 1);
        coordination.topics().create(topic);

        server.stop();
        assertFails(
                ErrorCode.COORDINATION_UNAVAILABLE, () -> coordination.topics().create(topic("other", 1)));
        assertFails(
                ErrorCode.COORDINATION_UNAVAILABLE,
                () -> coordination.ownership().read(topic.allPartitions().toList()));
        assertFails(
                ErrorCode.COORDINATION_UNAVAILABLE, () -> coordination.hosts().isGone("a", 1));
        assertThat(coordination.hosts().isConnected()).isFalse();
        assertThat(coordination.topics().find(topic.name()))
                .as("known from memory")
                .isEqualTo(topic);
        server.restart();

        newSessions.acquire();
        assertThat(newSessions.availablePermits()).isZero();
        coordination.topics().create(topic("after", 1));
        assertThat(coordination.topics().all()).hasSize(2);
    }
}
