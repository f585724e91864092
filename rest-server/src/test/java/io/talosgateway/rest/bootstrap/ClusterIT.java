package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.Await;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.http.rest.EventClient;
import io.talosgateway.rest.http.talos.TalosTestClient;
import io.talosgateway.rest.journal.hdfs.HdfsCluster;
import io.talosgateway.rest.tls.PemFiles;
import io.talosgateway.rest.tls.TestCertificates;
import io.talosgateway.thrift.CommitRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PrepareRequest;
import io.talosgateway.thrift.RollbackRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Several gateways in this process, on a real HDFS and a real ZooKeeper. */
final class ClusterIT {

    private static final int PARTITIONS = 12;
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static final Pattern OWNER = Pattern.compile("\"partition\":(\\d+),\"owner\":\"([^\"]+)\"");

    private static final Pattern MEMBER = Pattern.compile("\"member\":\"([^\"]+)\"");
    private static final Pattern BATCH = Pattern.compile("\"partition\":(\\d+).*\"nextOffset\":(\\d+)");
    private static final Pattern VALUE = Pattern.compile("\"value\":\"([^\"]+)\"");

    @TempDir
    static Path shared;

    private static HdfsCluster hdfs;
    private static TestingServer zooKeeper;

    @TempDir
    Path directory;

    private final String name = "cluster-" + CLUSTERS.incrementAndGet();
    private final Map<String, TestGateway> gateways = new TreeMap<>();
    private AccessKey key;

    @BeforeAll
    static void startOthers() throws Exception {
        hdfs = HdfsCluster.start(shared.resolve("hdfs"), 1);
        zooKeeper = new TestingServer(
                new InstanceSpec(shared.resolve("zookeeper").toFile(), -1, -1, -1, false, 1, 500, 1_000), true);
    }

    @AfterAll
    static void stopOthers() throws IOException {
        zooKeeper.close();
        hdfs.close();
    }

    @BeforeEach
    void makeKey() throws IOException {
        key = KeyFile.create(directory.resolve("keys.json"), "tester", true, InstantSource.system());
    }

    @AfterEach
    void stop() {
        gateways.values().forEach(TestGateway::close);
    }

    private Map<String, String> settings(String host) {
        Map<String, String> settings = new HashMap<>();
        settings.put("host.name", host);
        settings.put("storage.root", hdfs.uri() + "/" + name);
        settings.put("hadoop.dfs.replication", "1");
        settings.put("zookeeper.connect", zooKeeper.getConnectString());
        settings.put("zookeeper.auth", "hosts:of " + name);
        settings.put("zookeeper.root", "/" + name);
        settings.put("zookeeper.session-timeout", "10s");
        settings.put("auth.key-file", directory.resolve("keys.json").toString());
        settings.put("cluster.join-delay", "300ms");
        settings.put("cluster.removal-delay", "1s");
        settings.put("cluster.stop-notice", "0s");
        return settings;
    }

    private TestGateway start(String host) throws IOException {
        return start(host, Map.of());
    }

    private TestGateway start(String host, Map<String, String> more) throws IOException {
        Map<String, String> settings = settings(host);
        settings.putAll(more);
        TestGateway gateway = TestGateway.start(directory.resolve(host), settings, key);
        gateways.put(host, gateway);
        return gateway;
    }

    private void stop(String host) {
        gateways.remove(host).close();
    }

    private void createTopic(TestGateway gateway) throws Exception {
        HttpResponse<String> created = gateway.send(gateway.request("/v1/topics")
                .POST(BodyPublishers.ofString("{\"name\":\"t\",\"partitions\":" + PARTITIONS + "}"))
                .build());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    /** Its first characters are the idempotency key. */
    private static HttpResponse<String> put(TestGateway gateway, int partition, String message) throws Exception {
        return gateway.send(gateway.request("/v1/topics/t/partitions/" + partition + "/messages")
                .header("Content-Type", "application/octet-stream")
                .header("Idempotency-Key", message.substring(0, Math.min(message.length(), 100)))
                .POST(BodyPublishers.ofString(message))
                .build());
    }

    /** As a client does: again, with the same key, while the answer says so. */
    private static HttpResponse<String> putUntilStored(TestGateway gateway, int partition, String message)
            throws Exception {
        HttpResponse<String> answer =
                Await.value(() -> put(gateway, partition, message), response -> response.statusCode() != 503);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return answer;
    }

    /** Without the other host's telling, each would let the topic have its whole rate. */
    @Test
    void quotaOfATopicHoldsForAllHostsTogether() throws Exception {
        TestGateway a = start("a");
        TestGateway b = start("b");
        createTopic(a);
        HttpResponse<String> set = a.send(a.request("/v1/topics/t/quota")
                .PUT(BodyPublishers.ofString("{\"putBytesPerSecond\":1}"))
                .build());
        assertThat(set.statusCode()).as(set.body()).isEqualTo(200);
        Await.value(
                () -> b.send(b.request("/v1/topics/t/quota").build()),
                shown -> shown.body().contains("putBytesPerSecond"));
        putUntilStored(a, 0, "x".repeat(1_000));
        HttpResponse<String> refused = Await.value(() -> put(b, 1, "y"), response -> waitSeconds(response) > 500);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.body()).contains("\"throttled\"");
    }

    /** As behind a load balancer: each request of a member goes to another host. */
    private static final class RestMember {

        private final List<TestGateway> hosts;
        private final Set<String> processed;
        private final String member;
        private int requests;

        RestMember(List<TestGateway> hosts, Set<String> processed) throws Exception {
            this.hosts = hosts;
            this.processed = processed;
            this.member = MEMBER.matcher(send("", 201))
                    .results()
                    .findFirst()
                    .orElseThrow()
                    .group(1);
        }

        private String send(String what, int status) throws Exception {
            HttpResponse<String> response = Await.value(() -> post(what, ""), answer -> answer.statusCode() < 500);
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            return response.body();
        }

        private HttpResponse<String> post(String what, String body) throws Exception {
            TestGateway host = hosts.get(requests++ % hosts.size());
            return host.send(host.request("/v1/topics/t/groups/g/members" + what)
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(body))
                    .build());
        }

        /** Processes what one poll gives, and commits it, if it still may. */
        void work() throws Exception {
            String polled = send("/" + member + "/poll?value=text", 200);
            Matcher batch = BATCH.matcher(polled);
            if (batch.find()) {
                VALUE.matcher(polled).results().forEach(value -> processed.add(value.group(1)));
                String commit = "{\"partition\":%s,\"nextOffset\":%s}".formatted(batch.group(1), batch.group(2));
                HttpResponse<String> answer =
                        Await.value(() -> post("/" + member + "/commit", commit), done -> done.statusCode() < 500);
                assertThat(answer.statusCode()).as(answer.body()).isIn(204, 409);
            }
        }
    }

    @Test
    void membersOnRestProcessEverythingThroughAnyHostWhenOneIsKilled() throws Exception {
        Map<String, String> shortLease = Map.of("consumer-group.lease", "1s");
        List<TestGateway> hosts = List.of(start("a", shortLease), start("b", shortLease), start("c", shortLease));
        createTopic(hosts.get(0));
        Set<String> all = new TreeSet<>();
        Set<String> processed = new TreeSet<>();
        RestMember victim = new RestMember(hosts, processed);
        RestMember survivor = new RestMember(hosts, processed);
        for (int round = 0; round < 20; round++) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                String message = "m-" + round + "-" + partition;
                putUntilStored(hosts.get(partition % hosts.size()), partition, message);
                all.add(message);
            }
            survivor.work();
            if (round < 10) {
                // Then it is silent, with what it holds.
                victim.work();
            }
        }

        Await.until(() -> {
            survivor.work();
            return processed.size() == all.size();
        });
        assertThat(processed).isEqualTo(all);
    }

    private static <A, R> R message(TestGateway host, ThriftMethod<A, R> method, A argument) throws Exception {
        return new TalosTestClient(host).call(ThriftService.MESSAGE, method, argument);
    }

    private static void commitUntilEnded(TestGateway host, TopicAndPartition partition, long id) throws Exception {
        Await.until(() -> {
            try {
                message(host, MessageMethods.COMMIT, new CommitRequest(partition, id, "commit#1"));
                return true;
            } catch (GalaxyTalosException e) {
                assertThat(e.getErrorCode())
                        .as(e.getDetails())
                        .isIn(ErrorCode.PARTITION_NOT_SERVING, ErrorCode.REQUEST_PROCESS_TIMEOUT);
                return false;
            }
        });
    }

    /** Those of a partition are held by a host that need not own it, and another host is asked. */
    @Test
    void transactionsAreCommittedOnceThroughAnyHostAlsoWhenOneLeaves() throws Exception {
        List<TestGateway> hosts = List.of(start("a"), start("b"), start("c"));
        createTopic(hosts.get(0));
        String resource = new TalosTestClient(hosts.get(0))
                .call(ThriftService.TOPIC, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest("t"))
                .getTopicInfo()
                .getTopicTalosResourceName()
                .getTopicTalosResourceName();
        List<TopicAndPartition> partitions = new ArrayList<>();
        List<List<Long>> ids = new ArrayList<>();
        for (int number = 0; number < PARTITIONS; number++) {
            TopicAndPartition partition = new TopicAndPartition("t", new TopicTalosResourceName(resource), number);
            TestGateway host = hosts.get(number % 3);
            List<Long> prepared = new ArrayList<>();
            for (int block = 0; block < 3; block++) {
                MessageBlock messages =
                        new MessageBlock(0, 1, MessageCompressionType.NONE, ByteBuffer.wrap(new byte[] {(byte) block}));
                PrepareRequest request = new PrepareRequest(partition, messages, 1, "prepare#1");
                prepared.add(Await.value(
                        () -> {
                            try {
                                return message(host, MessageMethods.PREPARE, request)
                                        .getTransactionId();
                            } catch (GalaxyTalosException e) {
                                return 0L;
                            }
                        },
                        id -> id > 0));
            }
            commitUntilEnded(hosts.get((number + 1) % 3), partition, prepared.get(0));
            message(
                    hosts.get((number + 2) % 3),
                    MessageMethods.ROLLBACK,
                    new RollbackRequest(partition, prepared.get(1), "rollback#1"));
            partitions.add(partition);
            ids.add(prepared);
        }

        stop("a");

        for (int number = 0; number < PARTITIONS; number++) {
            TopicAndPartition partition = partitions.get(number);
            TestGateway host = hosts.get(1 + number % 2);
            commitUntilEnded(host, partition, ids.get(number).get(0));
            commitUntilEnded(host, partition, ids.get(number).get(2));
            List<Byte> stored = message(host, MessageMethods.GET_MESSAGE, new GetMessageRequest(partition, -1, "get#1"))
                    .getMessageBlocks()
                    .stream()
                    .map(block -> block.getMessageBlock()[0])
                    .toList();
            assertThat(stored).as("partition %d", number).containsExactly((byte) 0, (byte) 2);
        }
    }

    private static long waitSeconds(HttpResponse<String> response) {
        return response.headers().firstValueAsLong("Retry-After").orElse(0);
    }

    private static String getAll(TestGateway gateway, int partition) throws Exception {
        return gateway.send(
                        gateway.request("/v1/topics/t/partitions/" + partition + "/messages?offset=earliest&value=text")
                                .build())
                .body();
    }

    /** Owner of each partition, as a host tells it. */
    private static Map<Integer, String> owners(TestGateway gateway) throws Exception {
        String body =
                gateway.send(gateway.request("/v1/topics/t/partitions").build()).body();
        Map<Integer, String> owners = new TreeMap<>();
        for (MatchResult match : OWNER.matcher(body).results().toList()) {
            owners.put(Integer.parseInt(match.group(1)), match.group(2));
        }
        return owners;
    }

    private static Set<String> endpoints(TestGateway... gateways) {
        Set<String> endpoints = new HashSet<>();
        for (TestGateway gateway : gateways) {
            endpoints.add("127.0.0.1:" + gateway.port());
        }
        return endpoints;
    }

    private static void awaitOwners(TestGateway gateway, Set<String> wanted) throws Exception {
        Await.value(
                () -> owners(gateway),
                owners -> owners.size() == PARTITIONS && new HashSet<>(owners.values()).equals(wanted));
    }

    /** Until each partition has an owner that one of these can ask; the first has some. */
    private static Map<Integer, String> awaitOwnersToldBy(TestGateway one, TestGateway other) throws Exception {
        Await.asLongAs(() -> owners(one).isEmpty());
        return Await.value(
                () -> {
                    Map<Integer, String> owners = owners(other);
                    owners.putAll(owners(one));
                    return owners;
                },
                owners -> owners.size() == PARTITIONS);
    }

    private static HttpResponse<String> keys(TestGateway gateway, String method, String path, String body)
            throws Exception {
        return gateway.send(gateway.request("/v1/keys" + path)
                .header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(body))
                .build());
    }

    /** Waits until a host takes a key, or does not. */
    private static void awaitStatus(TestGateway gateway, int status, AccessKey made) throws Exception {
        HttpRequest asKey = HttpRequest.newBuilder(URI.create(gateway.endpoint() + "/v1/topics"))
                .header("Authorization", TestGateway.basic(made))
                .build();
        Await.asLongAs(() -> gateway.send(asKey).statusCode() != status);
    }

    private static AccessKey made(HttpResponse<String> answer) throws Exception {
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
        JsonNode json = new ObjectMapper().readTree(answer.body());
        return new AccessKey(json.get("id").asText(), json.get("secret").asText(), "any", null, false, 0);
    }

    @Test
    void keyOfOneHostIsAKeyOfAllUntilOneOfThemEndsIt() throws Exception {
        Map<String, String> secret = Map.of("auth.key-encryption-secret", "the same at all hosts");
        TestGateway first = start("a", secret);
        TestGateway second = start("b", secret);
        AccessKey made = made(keys(first, "POST", "", "{\"owner\":\"app\"}"));
        awaitStatus(first, 200, made);
        awaitStatus(second, 200, made);

        AccessKey rotated = made(keys(second, "POST", "/" + made.id() + "/rotate", "{\"keepOldForMs\":0}"));
        awaitStatus(first, 200, rotated);
        awaitStatus(first, 401, made);
        keys(first, "PATCH", "/" + made.id(), "{\"disabled\":true}");
        awaitStatus(second, 401, rotated);
        keys(second, "PATCH", "/" + made.id(), "{\"disabled\":false}");
        awaitStatus(first, 200, rotated);
        keys(first, "DELETE", "/" + made.id(), "");
        awaitStatus(second, 401, rotated);
    }

    @Test
    void hostWithoutTheSecretUsesNoSharedKeysAndSaysWhy() throws Exception {
        TestGateway first = start("a", Map.of("auth.key-encryption-secret", "the same at all hosts"));
        AccessKey made = made(keys(first, "POST", "", "{}"));
        awaitStatus(first, 200, made);

        TestGateway other = start("b", Map.of("auth.key-encryption-secret", "not the one of the others"));
        TestGateway without = start("c");
        for (TestGateway gateway : List.of(other, without)) {
            awaitStatus(gateway, 401, made);
            assertThat(gateway.metric("talos_keys_unreadable")).isEqualTo(1);
            assertThat(keys(gateway, "GET", "/" + made.id(), "").body())
                    .contains("\"problem\":")
                    .contains("auth.key-encryption-secret");
            HttpResponse<String> refused = keys(gateway, "POST", "", "{}");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(refused.body()).contains("key-read-only", "auth.key-encryption-secret");
        }
        assertThat(first.metric("talos_keys_unreadable")).isZero();
    }

    @Test
    void anyHostTakesAnyRequest() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        TestGateway second = start("b");
        TestGateway third = start("c");
        awaitOwners(first, endpoints(first, second, third));

        assertThat(owners(second)).isEqualTo(owners(first));
        assertThat(owners(third)).isEqualTo(owners(first));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (TestGateway gateway : List.of(first, second, third)) {
                putUntilStored(gateway, partition, "p" + partition + "-" + gateway.port());
            }
        }
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String all = getAll(first, partition);
            assertThat(all).contains("\"logEndOffset\":3");
            assertThat(getAll(second, partition)).isEqualTo(all);
            assertThat(getAll(third, partition)).isEqualTo(all);
        }
    }

    @Test
    void hostThatHandsARequestOnSaysHowLongItsOwnerTook() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        TestGateway second = start("b");
        awaitOwners(first, endpoints(first, second));
        String secondEndpoint = endpoints(second).iterator().next();
        int partition = owners(first).entrySet().stream()
                .filter(owner -> owner.getValue().equals(secondEndpoint))
                .findFirst()
                .orElseThrow()
                .getKey();
        putUntilStored(first, partition, "first");
        String path = "/v1/topics/t/partitions/" + partition + "/messages";

        for (HttpRequest.Builder request : List.of(
                first.request(path)
                        .header("Content-Type", "application/octet-stream")
                        .POST(BodyPublishers.ofString("second")),
                first.request(path + "?offset=0"))) {
            HttpResponse<String> answer =
                    first.send(request.header("Talos-Stages", "on").build());
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Talos-Stages").orElseThrow())
                    .matches("received=-?\\d+,forwarded=-?\\d+,returned=-?\\d+,answered=-?\\d+");
        }
    }

    @Test
    void anyHostSaysWhereAPartitionEndsThatAPutExpectsToEndElsewhere() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        TestGateway second = start("b");
        awaitOwners(first, endpoints(first, second));
        for (TestGateway gateway : List.of(first, second)) {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                long end = gateway == first ? 0 : 1;
                HttpResponse<String> refused = putAt(gateway, partition, 7);
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(412);
                assertThat(refused.body()).contains("\"logEndOffset\":" + end);
                assertThat(putAt(gateway, partition, end).body()).contains("\"firstOffset\":" + end);
            }
        }
    }

    @Test
    void fencingTokenHoldsForAllHostsAndWithTheNextOwner() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        TestGateway second = start("b");
        awaitOwners(first, endpoints(first, second));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(fence(first, partition, "{\"token\":\"x\"}").statusCode())
                    .isEqualTo(200);
            assertThat(fence(second, partition, "{\"token\":\"y\",\"replaces\":\"x\"}")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(putWithToken(first, partition, "x").body()).contains("\"fencingToken\":\"y\"");
            assertThat(putWithToken(second, partition, "y").statusCode()).isEqualTo(200);
        }

        first.close();

        awaitOwners(second, endpoints(second));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            HttpResponse<String> refused = putWithToken(second, partition, "x");
            assertThat(refused.statusCode()).isEqualTo(412);
            assertThat(refused.body()).contains("\"code\":\"fenced\"", "\"fencingToken\":\"y\"");
            assertThat(putWithToken(second, partition, "y").statusCode()).isEqualTo(200);
        }
    }

    private static HttpResponse<String> fence(TestGateway gateway, int partition, String json) throws Exception {
        return gateway.send(gateway.request("/v1/topics/t/partitions/" + partition + "/fencing-token")
                .PUT(BodyPublishers.ofString(json))
                .build());
    }

    private static HttpResponse<String> putWithToken(TestGateway gateway, int partition, String token)
            throws Exception {
        return gateway.send(gateway.request("/v1/topics/t/partitions/" + partition + "/messages?fencing-token=" + token)
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"m\"}]}"))
                .build());
    }

    private static HttpResponse<String> putAt(TestGateway gateway, int partition, long offset) throws Exception {
        return gateway.send(
                gateway.request("/v1/topics/t/partitions/" + partition + "/messages?expected-offset=" + offset)
                        .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"m\"}]}"))
                        .build());
    }

    @Test
    void aHostThatIsStoppedGivesItsPartitionsToOthersWithEverythingInThem() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        TestGateway second = start("b");
        awaitOwners(first, endpoints(first, second));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            putUntilStored(first, partition, "before-" + partition);
        }

        stop("b");

        awaitOwners(first, endpoints(first));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            // The same key: the new owner recognises what the old one has stored.
            assertThat(putUntilStored(first, partition, "before-" + partition).body())
                    .contains("\"firstOffset\":0", "\"repeat\":true");
            assertThat(putUntilStored(first, partition, "after-" + partition).body())
                    .contains("\"firstOffset\":1");
        }
        TestGateway again = start("b");
        awaitOwners(first, endpoints(first, again));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            assertThat(putUntilStored(again, partition, "again-" + partition).body())
                    .contains("\"firstOffset\":2");
            assertThat(getAll(again, partition))
                    .contains("before-" + partition, "after-" + partition, "again-" + partition);
        }
    }

    @Test
    void partitionsThatMoveBackAndForthKeepTheirMessages() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        int messages = 0;
        for (int round = 0; round < 3; round++) {
            TestGateway second = start("b");
            awaitOwners(first, endpoints(first, second));
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(putUntilStored(second, partition, "both-" + round).body())
                        .contains("\"firstOffset\":" + messages);
            }
            messages++;
            stop("b");
            awaitOwners(first, endpoints(first));
            for (int partition = 0; partition < PARTITIONS; partition++) {
                assertThat(putUntilStored(first, partition, "one-" + round).body())
                        .contains("\"firstOffset\":" + messages);
            }
            messages++;
        }
        int expected = messages;
        for (int partition : IntStream.range(0, PARTITIONS).toArray()) {
            assertThat(getAll(first, partition)).contains("\"logEndOffset\":" + expected, "both-0", "one-2");
        }
    }

    /** Who connects to a port at which nobody answers waits; so requests are answered as soon as the port is open. */
    @Test
    void aHostAnswersBeforeOthersHearOfIt() throws Exception {
        TestGateway first = start("a");
        List<Double> alive = new ArrayList<>();
        Map<String, String> settings = settings("b");
        settings.put("data.directory", directory.resolve("b").toString());
        List.of("http.port", "ops.port", "peer.port").forEach(port -> settings.put(port, "0"));
        Gateway second = Gateway.start(GatewayConfig.of(settings), handler -> {
            alive.add(hostsAlive(first));
            return handler;
        });
        second.close();

        // First the port for operations is opened, then that for clients.
        assertThat(alive).containsExactly(1.0, 1.0);
    }

    private static double hostsAlive(TestGateway gateway) {
        try {
            return gateway.metric("talos_hosts_alive");
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void twoHostsOfOneNameAreRefused() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        putUntilStored(first, 0, "message");

        assertThatThrownBy(() -> TestGateway.start(directory.resolve("other"), settings("a"), key))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Another gateway named 'a' is running");

        assertThat(putUntilStored(first, 0, "next").body()).contains("\"firstOffset\":1");
    }

    @Test
    void aHostWithAnotherSecretServesNothingOfOthers() throws Exception {
        TestGateway first = start("a");
        createTopic(first);
        Map<String, String> settings = settings("b");
        settings.put("peer.secret", "not the secret of this cluster");
        TestGateway stranger = TestGateway.start(directory.resolve("b"), settings, key);
        gateways.put("b", stranger);
        awaitHosts(first, 2);
        Map<Integer, String> owners = owners(first);
        int ofFirst = IntStream.range(0, PARTITIONS)
                .filter(partition -> endpoints(first).contains(owners.get(partition)))
                .findFirst()
                .orElseThrow();

        assertThat(put(stranger, ofFirst, "message").body())
                .contains("partition-not-serving", "do all hosts have the same peer.secret?");
        assertThat(getAll(first, ofFirst)).contains("\"logEndOffset\":0");
    }

    /** One gateway in clear text beside it: all hosts need the same choice. */
    @Test
    void hostsWithCertificatesServeEachOtherAndNoHostWithout() throws Exception {
        TestCertificates authority = new TestCertificates(directory, "authority");
        Path trusted = directory.resolve("trusted.pem");
        Files.writeString(trusted, authority.certificatePem());
        List<TestGateway> secured = new ArrayList<>();
        for (String host : List.of("a", "b")) {
            PemFiles files = authority
                    .issue(host, "EC")
                    .write(directory.resolve(host + ".pem"), directory.resolve(host + "-key.pem"));
            Map<String, String> settings = settings(host);
            settings.put("peer.tls.certificate", files.certificate().toString());
            settings.put("peer.tls.private-key", files.key().toString());
            settings.put("peer.tls.trusted-certificates", trusted.toString());
            gateways.put(host, TestGateway.start(directory.resolve(host), settings, key));
            secured.add(gateways.get(host));
        }
        createTopic(secured.get(0));
        awaitOwners(secured.get(0), endpoints(secured.get(0), secured.get(1)));
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (TestGateway gateway : secured) {
                putUntilStored(gateway, partition, "p" + partition + "-" + gateway.port());
            }
            assertThat(getAll(secured.get(0), partition))
                    .contains("\"logEndOffset\":2")
                    .isEqualTo(getAll(secured.get(1), partition));
        }
        assertThat(secured.get(0).metric("talos_peer_tls_certificate_expiry_seconds"))
                .isPositive();

        TestGateway clear = start("c");
        awaitHosts(clear, 3);
        Map<Integer, String> owners = awaitOwnersToldBy(clear, secured.get(0));
        int served = IntStream.range(0, PARTITIONS)
                .filter(partition -> !endpoints(clear).contains(owners.get(partition)))
                .findFirst()
                .orElseThrow();
        assertThat(put(clear, served, "message").body()).contains("partition-not-serving");
    }

    private static void awaitHosts(TestGateway gateway, int hosts) throws Exception {
        Await.asLongAs(() -> gateway.metric("talos_hosts_placed") != hosts);
    }

    /** Reads so many events, at the hosts in turn, as a client that comes again wherever its stream ends. */
    private static void readStream(EventClient stream, TestGateway other, String path, long firstOffset, long endOffset)
            throws Exception {
        EventClient open = stream;
        long next = firstOffset;
        while (next < endOffset) {
            EventClient.Event event;
            try {
                event = open.next();
            } catch (IOException e) {
                event = null;
            }
            if (event == null || !event.name().equals("message")) {
                open.close();
                // Its last event was the one before, or it has told where it begins.
                open = EventClient.open(other, path, Long.toString(next - 1));
                continue;
            }
            assertThat(event.offset()).isEqualTo(next);
            assertThat(event.data()).contains("message-" + next + "\"");
            next++;
        }
        open.close();
    }

    private static void putJson(TestGateway gateway, int partition, long offset) throws Exception {
        HttpRequest put = gateway.request("/v1/topics/t/partitions/" + partition + "/messages")
                .header("Idempotency-Key", "key-" + partition + "-" + offset)
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"message-" + offset + "\"}]}"))
                .build();
        HttpResponse<String> answer = Await.value(() -> gateway.send(put), response -> response.statusCode() != 503);
        assertThat(answer.body()).contains("\"firstOffset\":" + offset + ",");
    }

    /** Through the owner, and through another host, which forwards the gets. */
    @Test
    void streamsSeeEveryMessageOnceWhenTheirPartitionMoves() throws Exception {
        TestGateway first = start("first", Map.of("stream.heartbeat", "200ms"));
        TestGateway second = start("second", Map.of("stream.heartbeat", "200ms"));
        createTopic(first);
        awaitOwners(first, endpoints(first, second));
        awaitOwners(second, endpoints(first, second));
        int partition = owners(second).entrySet().stream()
                .filter(owner -> endpoints(first).contains(owner.getValue()))
                .findFirst()
                .orElseThrow()
                .getKey();
        String path = "/v1/topics/t/partitions/" + partition + "/messages?offset=earliest";
        try (EventClient ofOwner = EventClient.open(first, path, null);
                EventClient ofOther = EventClient.open(second, path, null)) {
            for (long offset = 0; offset < 10; offset++) {
                putJson(offset % 2 == 0 ? first : second, partition, offset);
            }
            for (EventClient stream : List.of(ofOwner, ofOther)) {
                for (long offset = 0; offset < 10; offset++) {
                    assertThat(stream.next().offset()).isEqualTo(offset);
                }
            }
            stop("first");
            for (long offset = 10; offset < 20; offset++) {
                putJson(second, partition, offset);
            }
            readStream(ofOwner, second, path, 10, 20);
            readStream(ofOther, second, path, 10, 20);
        }
    }
}
