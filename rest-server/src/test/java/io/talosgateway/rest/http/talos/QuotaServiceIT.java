package io.talosgateway.rest.http.talos;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.ApplyQuotaRequest;
import io.talosgateway.thrift.ApproveQuotaRequest;
import io.talosgateway.thrift.AutoApplyQuotaRequest;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteUserQuotaRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.PartitionQuotaInfo;
import io.talosgateway.thrift.RevokeQuotaRequest;
import io.talosgateway.thrift.SetUserQuotaRequest;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.UserQuota;
import io.talosgateway.thrift.call.QuotaMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Quotas of developers and organizations of a whole gateway, as the newer SDKs and the shell call them, and on REST. */
final class QuotaServiceIT {

    /** {@code topic.max-partitions-per-owner}. */
    private static final int DEFAULT_PARTITIONS = 10;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final AtomicInteger owners = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient admin;

    /** Another one for each test, and who belongs to it. */
    private String team;

    private AccessKey mateKey;
    private TalosTestClient mate;

    @BeforeAll
    static void start() throws Exception {
        gateway = TestGateway.start(
                directory,
                Map.of(
                        "topic.max-topics-per-owner",
                        "5",
                        "topic.max-partitions-per-owner",
                        String.valueOf(DEFAULT_PARTITIONS),
                        "topic.max-partitions-total",
                        "1000"));
        admin = new TalosTestClient(gateway);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    @BeforeEach
    void addOwner() throws Exception {
        int number = owners.incrementAndGet();
        team = "CLteam" + number;
        mateKey = gateway.addKey("mate" + number, team, false);
        mate = admin.withKey(mateKey);
    }

    private static <A, R> R call(TalosTestClient client, ThriftMethod<A, R> method, @Nullable A argument)
            throws Exception {
        return client.call(ThriftService.QUOTA, method, argument);
    }

    private static void assertFails(ErrorCode code, String details, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GalaxyTalosException.class, failure -> {
            assertThat(failure.getErrorCode()).as(failure.getDetails()).isEqualTo(code);
            assertThat(failure.getDetails()).contains(details);
        });
    }

    private void createTopic(TalosTestClient client, String name, int partitions) throws Exception {
        client.call(
                ThriftService.TOPIC,
                TopicMethods.CREATE_TOPIC,
                new CreateTopicRequest(team + "-" + name, new TopicAttribute().setPartitionNumber(partitions)));
    }

    private PartitionQuotaInfo info(int total) {
        return new PartitionQuotaInfo(team, total);
    }

    private PartitionQuotaInfo applied(int total) {
        return info(total).setApplyReason("more orders").setOrgName("The team");
    }

    private void apply(int total) throws Exception {
        call(mate, QuotaMethods.APPLY_QUOTA, new ApplyQuotaRequest(applied(total)));
    }

    private List<PartitionQuotaInfo> pending() throws Exception {
        return call(admin, QuotaMethods.LIST_PENDING_QUOTA, null).getPendingQuotaList().stream()
                .filter(info -> info.getOrgId().equals(team))
                .toList();
    }

    private PartitionQuotaInfo granted() throws Exception {
        return call(mate, QuotaMethods.LIST_QUOTA, null).getQuotaList().get(0);
    }

    @Test
    void partitionsAreAppliedForAndGranted() throws Exception {
        createTopic(mate, "a", DEFAULT_PARTITIONS);
        assertFails(ErrorCode.QUOTA_EXCEEDED, "topic.max-partitions-per-owner", () -> createTopic(mate, "b", 1));
        assertThat(granted()).isEqualTo(info(DEFAULT_PARTITIONS).setUsedOuota(DEFAULT_PARTITIONS));

        apply(40);
        apply(12);

        assertThat(pending()).containsExactly(applied(12).setUsedOuota(DEFAULT_PARTITIONS));
        assertFails(
                ErrorCode.QUOTA_NOT_EXIST,
                "12",
                () -> call(admin, QuotaMethods.APPROVE_QUOTA, new ApproveQuotaRequest(info(40))));
        assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                "administrator",
                () -> call(mate, QuotaMethods.APPROVE_QUOTA, new ApproveQuotaRequest(info(12))));
        for (int time = 0; time < 2; time++) {
            var approved = call(admin, QuotaMethods.APPROVE_QUOTA, new ApproveQuotaRequest(info(12)));
            assertThat(approved.isTalosAdmin()).isTrue();
        }

        assertThat(pending()).isEmpty();
        assertThat(granted()).isEqualTo(applied(12).setUsedOuota(DEFAULT_PARTITIONS));
        createTopic(mate, "b", 2);
        assertFails(ErrorCode.QUOTA_EXCEEDED, "its quota", () -> createTopic(mate, "c", 1));
        assertThat(call(admin, QuotaMethods.LIST_QUOTA, null).getQuotaList())
                .contains(applied(12).setUsedOuota(12));
    }

    @Test
    void applicationsAreDeclinedAndGrantsTakenBack() throws Exception {
        apply(40);
        call(admin, QuotaMethods.REVOKE_QUOTA, new RevokeQuotaRequest(info(40)));
        assertThat(pending()).isEmpty();
        assertFails(
                ErrorCode.QUOTA_NOT_EXIST,
                team,
                () -> call(admin, QuotaMethods.REVOKE_QUOTA, new RevokeQuotaRequest(info(40))));

        apply(40);
        call(admin, QuotaMethods.APPROVE_QUOTA, new ApproveQuotaRequest(info(40)));
        createTopic(mate, "a", 20);
        call(admin, QuotaMethods.REVOKE_QUOTA, new RevokeQuotaRequest(info(40)));

        assertThat(granted()).isEqualTo(info(DEFAULT_PARTITIONS).setUsedOuota(20));
        assertFails(ErrorCode.QUOTA_EXCEEDED, "topic.max-partitions-per-owner", () -> createTopic(mate, "b", 1));
    }

    @Test
    void nobodyHasToApproveWhatEveryOwnerHas() throws Exception {
        call(mate, QuotaMethods.AUTO_APPLY_QUOTA, new AutoApplyQuotaRequest(info(DEFAULT_PARTITIONS)));
        assertFails(
                ErrorCode.QUOTA_AUTO_APPROVE_FAILED,
                "applyQuota",
                () -> call(
                        mate, QuotaMethods.AUTO_APPLY_QUOTA, new AutoApplyQuotaRequest(info(DEFAULT_PARTITIONS + 1))));
        assertThat(pending()).isEmpty();
    }

    @Test
    void wrongApplicationsAreRefused() throws Exception {
        assertFails(ErrorCode.INVALID_TOPIC_PARAMS, "at least 1", () -> apply(0));
        assertFails(ErrorCode.INVALID_TOPIC_PARAMS, "at least 1", () -> apply(-5));
        assertFails(ErrorCode.INVALID_TOPIC_PARAMS, "1000", () -> apply(1_001));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                "256",
                () -> call(
                        mate,
                        QuotaMethods.APPLY_QUOTA,
                        new ApplyQuotaRequest(info(20).setApplyReason("x".repeat(257)))));
        assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                "CLforeign",
                () -> call(
                        mate,
                        QuotaMethods.APPLY_QUOTA,
                        new ApplyQuotaRequest(new PartitionQuotaInfo("CLforeign", 20))));
        assertThat(pending()).isEmpty();
    }

    @Test
    void developerHasTheQuotaThatAnAdministratorSets() throws Exception {
        UserQuota quota = new UserQuota(new BaseQuota(1_000).setPutMessageQpsQuota(7)).setTopicNumberQuota(2);
        call(admin, QuotaMethods.SET_USER_QUOTA, new SetUserQuotaRequest(team, quota));

        assertThat(call(admin, QuotaMethods.LIST_USER_QUOTA, null).getUserQuotaList())
                .containsEntry(team, quota);
        UserQuota own = call(mate, QuotaMethods.QUERY_USER_QUOTA, null).getUserQuota();
        assertThat(own.getTopicNumberQuota()).isEqualTo(2);
        assertThat(own.getBaseQuota())
                .isEqualTo(quota.getBaseQuota().deepCopy().setUsedSpace(0).setRemainingSpace(1_000));
        createTopic(mate, "a", 1);
        createTopic(mate, "b", 1);
        assertFails(ErrorCode.QUOTA_EXCEEDED, "2 are allowed", () -> createTopic(mate, "c", 1));

        call(admin, QuotaMethods.DELETE_USER_QUOTA, new DeleteUserQuotaRequest(team));
        call(admin, QuotaMethods.DELETE_USER_QUOTA, new DeleteUserQuotaRequest(team));

        createTopic(mate, "c", 1);
        assertThat(call(admin, QuotaMethods.LIST_USER_QUOTA, null).getUserQuotaList())
                .doesNotContainKey(team);
        UserQuota none = call(mate, QuotaMethods.QUERY_USER_QUOTA, null).getUserQuota();
        assertThat(none.getTopicNumberQuota()).isEqualTo(5);
        assertThat(none.getBaseQuota().getSpaceQuota()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void wrongQuotasAreRefused() {
        BaseQuota negative = new BaseQuota(1_000).setGetMessageBytesQpsQuota(-1);
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                "at least 1",
                () -> call(admin, QuotaMethods.SET_USER_QUOTA, new SetUserQuotaRequest(team, new UserQuota(negative))));
        UserQuota noTopics = new UserQuota(new BaseQuota(1_000)).setTopicNumberQuota(0);
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                "at least 1",
                () -> call(admin, QuotaMethods.SET_USER_QUOTA, new SetUserQuotaRequest(team, noTopics)));
        UserQuota fine = new UserQuota(new BaseQuota(1_000));
        for (String nobody : List.of("", " ", "a\nb", "x".repeat(129))) {
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMS,
                    "not valid",
                    () -> call(admin, QuotaMethods.SET_USER_QUOTA, new SetUserQuotaRequest(nobody, fine)));
        }
    }

    // --- REST ---

    private static JsonNode ok(HttpRequest request) throws Exception {
        HttpResponse<String> response = gateway.send(request);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    private HttpRequest.Builder asMate(String path) {
        return gateway.request(path).setHeader("Authorization", TestGateway.basic(mateKey));
    }

    private void setQuota(String json) throws Exception {
        ok(gateway.request("/v1/quotas/" + team)
                .PUT(BodyPublishers.ofString(json))
                .build());
    }

    private HttpResponse<String> put(String topic, int bytes) throws Exception {
        return gateway.send(asMate("/v1/topics/" + team + "-" + topic + "/partitions/0/messages")
                .POST(BodyPublishers.ofString("{\"messages\":[{\"value\":\"" + "m".repeat(bytes) + "\"}]}"))
                .build());
    }

    @Test
    void rateOfAnOwnerHoldsForAllOfItsTopics() throws Exception {
        createTopic(mate, "a", 1);
        createTopic(mate, "b", 1);
        setQuota("{\"putBytesPerSecond\":1}");

        assertThat(put("a", 1_000).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = put("b", 1);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
        assertThat(refused.body()).contains("throttled", team);
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(900L, 1_100L);
    }

    @Test
    void spaceOfAnOwnerHoldsForAllOfItsTopics() throws Exception {
        createTopic(mate, "a", 1);
        createTopic(mate, "b", 1);
        setQuota("{\"spaceBytes\":3000}");

        assertThat(put("a", 1_000).statusCode()).isEqualTo(200);
        assertThat(put("b", 1_000).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = put("b", 1_000);

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(429);
        assertThat(refused.body()).contains("quota-exceeded", team);
        assertThat(put("a", 100).statusCode()).isEqualTo(200);
        JsonNode shown = ok(asMate("/v1/quotas/" + team).build());
        assertThat(shown.get("usedBytes").asLong()).isBetween(2_100L, 2_600L);
    }

    @Test
    void quotaIsSetShownListedAndTakenAwayOnRest() throws Exception {
        apply(40);
        setQuota("{\"topics\":7,\"partitions\":30,\"getRequestsPerSecond\":9}");

        JsonNode shown = ok(asMate("/v1/quotas/" + team).build());
        assertThat(shown.get("topics").asInt()).isEqualTo(7);
        assertThat(shown.get("partitions").asInt()).isEqualTo(30);
        assertThat(shown.get("getRequestsPerSecond").asInt()).isEqualTo(9);
        assertThat(shown.get("appliedPartitions").asInt()).isEqualTo(40);
        assertThat(shown.has("spaceBytes")).isFalse();
        setQuota("{\"partitions\":30}");
        assertThat(ok(asMate("/v1/quotas/" + team).build()).has("getRequestsPerSecond"))
                .isFalse();
        JsonNode last = ok(gateway.request("/v1/quotas?limit=1&after=" + team.substring(0, team.length() - 1))
                .build());
        assertThat(last.get("quotas")).hasSize(1);

        ok(gateway.request("/v1/quotas/" + team).DELETE().build());

        assertThat(granted()).isEqualTo(info(DEFAULT_PARTITIONS).setUsedOuota(0));
        assertThat(pending()).as("what was applied for").hasSize(1);
    }

    @Test
    void nobodyElseSeesAQuota() throws Exception {
        HttpResponse<String> refused =
                gateway.send(asMate("/v1/quotas/CLforeign").build());

        assertThat(refused.statusCode()).isEqualTo(403);
    }

    @Test
    void ownersWithOddNamesHaveQuotas() throws Exception {
        for (String owner : List.of(".", "..", "a/b", "zoë ü", "%41", "a+b")) {
            call(
                    admin,
                    QuotaMethods.SET_USER_QUOTA,
                    new SetUserQuotaRequest(owner, new UserQuota(new BaseQuota(1_000))));
            assertThat(call(admin, QuotaMethods.LIST_USER_QUOTA, null).getUserQuotaList())
                    .containsKey(owner);
            call(admin, QuotaMethods.DELETE_USER_QUOTA, new DeleteUserQuotaRequest(owner));
        }
    }
}
