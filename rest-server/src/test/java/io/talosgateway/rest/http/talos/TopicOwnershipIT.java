package io.talosgateway.rest.http.talos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.AddSubResourceNameRequest;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.ChangeReplicationTopicSourceInfoRequest;
import io.talosgateway.thrift.ChangeTopicAttributeRequest;
import io.talosgateway.thrift.ChangeTopicOwnerInfoRequest;
import io.talosgateway.thrift.CreateReplicationTopicRequest;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteTopicQuotaRequest;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetDescribeInfoRequest;
import io.talosgateway.thrift.GetPermissionRequest;
import io.talosgateway.thrift.GetTopicOffsetRequest;
import io.talosgateway.thrift.ListPermissionRequest;
import io.talosgateway.thrift.Permission;
import io.talosgateway.thrift.QueryTopicQuotaRequest;
import io.talosgateway.thrift.RevokePermissionRequest;
import io.talosgateway.thrift.SetPermissionRequest;
import io.talosgateway.thrift.SetTopicQuotaRequest;
import io.talosgateway.thrift.SourceTopicInfo;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicOwnerInfo;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.thrift.rpc.Grantee;
import org.apache.thrift.TApplicationException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Quotas of topics, what owners say of themselves, topics that are handed to others; over HTTP. */
final class TopicOwnershipIT {

    private static final AtomicInteger topics = new AtomicInteger();

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient admin;
    private static TalosTestClient alice;
    private static TalosTestClient team;
    private static TalosTestClient colleague;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(directory);
        admin = new TalosTestClient(gateway);
        alice = admin.withKey(gateway.addKey("alice", null, false));
        team = admin.withKey(gateway.addKey("CI200", "CL100", false));
        colleague = admin.withKey(gateway.addKey("CI201", "CL100", false));
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static <A, R> R call(TalosTestClient client, ThriftMethod<A, R> method, A argument) throws Exception {
        return client.call(ThriftService.TOPIC, method, argument);
    }

    private static CreateTopicRequest request(int partitions) {
        return new CreateTopicRequest(
                "topic-" + topics.incrementAndGet(), new TopicAttribute().setPartitionNumber(partitions));
    }

    private static TopicInfo create(TalosTestClient owner, CreateTopicRequest request) throws Exception {
        return call(owner, TopicMethods.CREATE_TOPIC, request).getTopicInfo();
    }

    private static void assertFails(ErrorCode code, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GalaxyTalosException.class, failure -> {
            assertThat(failure.getErrorCode()).as(failure.getDetails()).isEqualTo(code);
            assertThat(failure.getDetails()).isNotBlank();
        });
    }

    private static BaseQuota quota(TopicInfo topic) throws Exception {
        return call(
                        alice,
                        TopicMethods.QUERY_TOPIC_QUOTA,
                        new QueryTopicQuotaRequest(topic.getTopicTalosResourceName()))
                .getTopicQuota();
    }

    // --- quotas ---

    @Test
    void quotaIsSetAskedForAndDeleted() throws Exception {
        TopicInfo topic = create(alice, request(2));
        TopicTalosResourceName name = topic.getTopicTalosResourceName();
        BaseQuota none = new BaseQuota(Long.MAX_VALUE).setUsedSpace(0);
        assertThat(quota(topic)).isEqualTo(none);

        BaseQuota wanted = new BaseQuota(1 << 20)
                .setPutMessageQpsQuota(11)
                .setGetMessageQpsQuota(12)
                .setPutMessageBytesQpsQuota(13)
                .setGetMessageBytesQpsQuota(14);
        call(alice, TopicMethods.SET_TOPIC_QUOTA, new SetTopicQuotaRequest(name, wanted));

        assertThat(quota(topic)).isEqualTo(wanted.deepCopy().setUsedSpace(0).setRemainingSpace(1 << 20));
        assertThat(call(alice, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest(topic.getTopicName()))
                        .getTopicQuota())
                .isEqualTo(wanted);

        call(alice, TopicMethods.DELETE_TOPIC_QUOTA, new DeleteTopicQuotaRequest(name));
        call(alice, TopicMethods.DELETE_TOPIC_QUOTA, new DeleteTopicQuotaRequest(name));
        assertThat(quota(topic)).isEqualTo(none);
    }

    @Test
    void usedSpaceIsThatOfAllPartitionsAndWhatRemainsIsNeverNegative() throws Exception {
        TopicInfo topic = create(alice, request(2));
        TalosTestMessages.put(alice, topic, 0, "x".repeat(1_000));
        long ofOne = quota(topic).getUsedSpace();
        TalosTestMessages.put(alice, topic, 1, "x".repeat(1_000));

        BaseQuota quota = quota(topic);
        assertThat(ofOne).isBetween(1_000L, 2_000L);
        assertThat(quota.getUsedSpace()).isEqualTo(2 * ofOne);
        assertThat(quota.isSetRemainingSpace()).isFalse();

        call(
                alice,
                TopicMethods.SET_TOPIC_QUOTA,
                new SetTopicQuotaRequest(topic.getTopicTalosResourceName(), new BaseQuota(ofOne + 1)));
        assertThat(quota(topic).getRemainingSpace()).isZero();
        call(
                alice,
                TopicMethods.SET_TOPIC_QUOTA,
                new SetTopicQuotaRequest(topic.getTopicTalosResourceName(), new BaseQuota(2 * ofOne + 1)));
        assertThat(quota(topic).getRemainingSpace()).isEqualTo(1);
    }

    @Test
    void quotaSurvivesOtherChangesOfTheTopic() throws Exception {
        TopicInfo topic = create(alice, request(1).setTopicQuota(new BaseQuota(5_000)));
        TopicTalosResourceName name = topic.getTopicTalosResourceName();
        call(
                alice,
                TopicMethods.CHANGE_TOPIC_ATTRIBUTE,
                new ChangeTopicAttributeRequest(name, new TopicAttribute().setAttributes(Map.of("a", "b"))));
        call(
                alice,
                TopicMethods.SET_PERMISSION,
                new SetPermissionRequest(name, grantee("bob"), Permission.GET_MESSAGE));
        call(
                alice,
                TopicMethods.CHANGE_TOPIC_OWNER_INFO,
                new ChangeTopicOwnerInfoRequest(name, new TopicOwnerInfo().setChargeId("7")));

        assertThat(quota(topic).getSpaceQuota()).isEqualTo(5_000);
        assertThat(call(alice, TopicMethods.LIST_PERMISSION, new ListPermissionRequest(name))
                        .getPermissions())
                .isEqualTo(Map.of("bob", 2));
    }

    @Test
    void quotaThatAllowsNothingIsRefused() throws Exception {
        TopicTalosResourceName name = create(alice, request(1)).getTopicTalosResourceName();
        for (BaseQuota wrong : List.of(
                new BaseQuota(0),
                new BaseQuota(-1),
                new BaseQuota(1).setPutMessageQpsQuota(0),
                new BaseQuota(1).setGetMessageQpsQuota(-1),
                new BaseQuota(1).setPutMessageBytesQpsQuota(0),
                new BaseQuota(1).setGetMessageBytesQpsQuota(0))) {
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMS,
                    () -> call(alice, TopicMethods.SET_TOPIC_QUOTA, new SetTopicQuotaRequest(name, wrong)));
            assertFails(
                    ErrorCode.INVALID_TOPIC_PARAMS,
                    () -> create(alice, request(1).setTopicQuota(wrong)));
        }
    }

    // --- owners ---

    @Test
    void whatTheOwnerSaysOfItselfIsShown() throws Exception {
        TopicInfo topic = create(alice, request(1).setOwnerName("Alice"));
        assertThat(topic.getOwnerInfo()).isEqualTo(new TopicOwnerInfo().setOwnerName("Alice"));
        TopicTalosResourceName name = topic.getTopicTalosResourceName();

        TopicOwnerInfo info = new TopicOwnerInfo().setOwnerName("Alice B.").setChargeId("cost-7");
        call(alice, TopicMethods.CHANGE_TOPIC_OWNER_INFO, new ChangeTopicOwnerInfoRequest(name, info));

        assertThat(describe(topic.getTopicName())).isEqualTo(topic.deepCopy().setOwnerInfo(info));
        assertThat(call(alice, TopicMethods.LIST_TOPICS, null).getTopicInfos())
                .contains(topic.deepCopy().setOwnerInfo(info));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> call(
                        alice,
                        TopicMethods.CHANGE_TOPIC_OWNER_INFO,
                        new ChangeTopicOwnerInfoRequest(name, new TopicOwnerInfo().setOwnerName("x".repeat(257)))));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS, () -> create(alice, request(1).setOwnerName("a\nb")));

        call(alice, TopicMethods.CHANGE_TOPIC_OWNER_INFO, new ChangeTopicOwnerInfoRequest(name, new TopicOwnerInfo()));
        assertThat(describe(topic.getTopicName()).isSetOwnerInfo()).isFalse();
    }

    private static TopicInfo describe(String name) throws Exception {
        return call(alice, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest(name))
                .getTopicInfo();
    }

    private static Grantee grantee(String principal) {
        return new Grantee().setIdentifier(principal);
    }

    @Test
    void topicIsHandedToATeamAndTakenBack() throws Exception {
        TopicInfo topic = create(alice, request(1));
        TopicTalosResourceName name = topic.getTopicTalosResourceName();
        TopicTalosResourceName second =
                new TopicTalosResourceName(name.getTopicTalosResourceName().replaceFirst("^alice#", "CL100#"));
        GetTopicOffsetRequest bySecond = new GetTopicOffsetRequest(second);
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> alice.call(ThriftService.MESSAGE, MessageMethods.GET_TOPIC_OFFSET, bySecond));

        AddSubResourceNameRequest handing = new AddSubResourceNameRequest(name, "CL100", "CI200");
        call(alice, TopicMethods.ADD_SUB_RESOURCE_NAME, handing);
        call(alice, TopicMethods.ADD_SUB_RESOURCE_NAME, handing);

        // Clients that hold the first name go on; both names mean the same topic.
        for (TalosTestClient each : List.of(alice, team, admin)) {
            assertThat(call(each, TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoRequest(topic.getTopicName()))
                            .getTopicTalosResourceName())
                    .isEqualTo(name);
            assertThat(each.call(ThriftService.MESSAGE, MessageMethods.GET_TOPIC_OFFSET, bySecond)
                            .getOffsetInfoList())
                    .hasSize(1);
        }
        TalosTestMessages.put(team, topic, 0, "of the team");
        assertThat(describe(topic.getTopicName()).getOwnerId()).isEqualTo("alice");
        assertThat(call(alice, TopicMethods.LIST_PERMISSION, new ListPermissionRequest(name))
                        .getPermissions())
                .isEqualTo(Map.of("CI200", Permission.ADMIN.getValue()));
        assertThat(gateway.send(gateway.request("/v1/topics/" + topic.getTopicName() + "/permissions")
                                .build())
                        .body())
                .contains("\"principal\":\"CI200\",\"permissions\":[\"put\",\"get\",\"describe\"]");
        call(
                team,
                TopicMethods.SET_PERMISSION,
                new SetPermissionRequest(second, grantee("bob"), Permission.GET_MESSAGE));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> call(
                        colleague, TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoRequest(topic.getTopicName())));
        assertFails(
                ErrorCode.SUB_RESOURCE_NAME_EXIST,
                () -> call(
                        alice,
                        TopicMethods.ADD_SUB_RESOURCE_NAME,
                        new AddSubResourceNameRequest(name, "CL100", "CI201")));

        call(alice, TopicMethods.REVOKE_PERMISSION, new RevokePermissionRequest(name, grantee("CI200")));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> alice.call(ThriftService.MESSAGE, MessageMethods.GET_TOPIC_OFFSET, bySecond));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> call(team, TopicMethods.GET_DESCRIBE_INFO, new GetDescribeInfoRequest(topic.getTopicName())));
        assertThat(call(alice, TopicMethods.GET_PERMISSION, new GetPermissionRequest(name, grantee("CI200")))
                        .getPermission())
                .isZero();
        call(alice, TopicMethods.ADD_SUB_RESOURCE_NAME, new AddSubResourceNameRequest(name, "CL100", "CI201"));
    }

    @Test
    void whatIsNoOrganizationOrNoTeamGetsNoTopic() throws Exception {
        TopicTalosResourceName name = create(alice, request(1)).getTopicTalosResourceName();
        for (List<String> wrong : List.of(
                List.of("XX1", "CI1"),
                List.of("CL1", "bob"),
                List.of("CL#1", "CI1"),
                List.of("CL1", "CI" + "x".repeat(127)))) {
            assertFails(
                    ErrorCode.INVALID_NAME_ERROR,
                    () -> call(
                            alice,
                            TopicMethods.ADD_SUB_RESOURCE_NAME,
                            new AddSubResourceNameRequest(name, wrong.get(0), wrong.get(1))));
        }
    }

    @Test
    void topicsThatAreOwnedGrantedOrHandedOverAreBound() throws Exception {
        TalosTestClient carol = admin.withKey(gateway.addKey("CI300", "CL300", false));
        TopicInfo owned = create(carol, request(1));
        TopicInfo granted = create(alice, request(1).setAclMap(Map.of(grantee("CI300"), Permission.PUT_MESSAGE)));
        TopicInfo handed = create(alice, request(1));
        call(
                alice,
                TopicMethods.ADD_SUB_RESOURCE_NAME,
                new AddSubResourceNameRequest(handed.getTopicTalosResourceName(), "CL300", "CI300"));
        create(alice, request(1));

        assertThat(call(carol, TopicMethods.GET_BIND_TOPICS, null).getTopicInfos())
                .containsExactlyInAnyOrder(owned, granted, handed);
        assertThat(call(admin, TopicMethods.GET_BIND_TOPICS, null).getTopicInfos())
                .isEmpty();
        assertThat(call(admin, TopicMethods.LIST_TOPICS, null).getTopicInfos()).contains(owned, granted, handed);
    }

    /** It would stay empty. */
    @Test
    void topicThatReplicatesAnotherClusterIsRefusedWithTheReason() throws Exception {
        List<SourceTopicInfo> sources = List.of(new SourceTopicInfo("other-cluster", "source"));
        TopicInfo topic = create(alice, request(1));
        for (ThrowingCallable refused : List.<ThrowingCallable>of(
                () -> call(
                        alice,
                        TopicMethods.CREATE_REPLICATION_TOPIC,
                        new CreateReplicationTopicRequest("replica", sources)),
                () -> call(
                        alice,
                        TopicMethods.CHANGE_REPLICATION_TOPIC_SOURCE_INFO,
                        new ChangeReplicationTopicSourceInfoRequest(topic.getTopicTalosResourceName(), sources)))) {
            assertThatThrownBy(refused)
                    .isInstanceOf(TApplicationException.class)
                    .hasMessageContaining("is refused: this gateway does not copy messages from other clusters")
                    .hasMessageContaining("Create a topic with createTopic");
        }
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> call(admin, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest("replica")));
    }
}
