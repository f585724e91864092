package io.talosgateway.rest.http.talos;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.CreateTopicGroupRequest;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.DeleteTopicGroupRequest;
import io.talosgateway.thrift.DescribeTopicGroupRequest;
import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.LookupTopicsRequest;
import io.talosgateway.thrift.MatchTopicsRequest;
import io.talosgateway.thrift.Permission;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicGroup;
import io.talosgateway.thrift.TopicGroupType;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.UpdateTopicGroupRequest;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.thrift.rpc.Grantee;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Topic groups of a whole gateway, as the Go SDK calls them. */
final class TopicGroupsIT {

    @TempDir
    static Path directory;

    private static TestGateway gateway;
    private static TalosTestClient admin;
    private static TalosTestClient alice;
    private static TalosTestClient bob;
    private static TalosTestClient mate;

    @BeforeAll
    static void start() throws IOException {
        gateway = TestGateway.start(directory);
        admin = new TalosTestClient(gateway);
        alice = client("alice", "CLteam");
        mate = client("mate", "CLteam");
        bob = client("bob", null);
    }

    private static TalosTestClient client(String principal, String organization) throws IOException {
        AccessKey key = gateway.addKey(principal, organization, false);
        return admin.withKey(key);
    }

    @AfterAll
    static void stop() {
        gateway.close();
    }

    private static <A, R> R call(TalosTestClient client, ThriftMethod<A, R> method, A argument) throws Exception {
        return client.call(ThriftService.TOPIC, method, argument);
    }

    private static GalaxyTalosException assertFails(ErrorCode code, ThrowingCallable call) {
        GalaxyTalosException[] caught = new GalaxyTalosException[1];
        assertThatThrownBy(call).isInstanceOfSatisfying(GalaxyTalosException.class, failure -> {
            assertThat(failure.getErrorCode()).as(failure.getDetails()).isEqualTo(code);
            assertThat(failure.getDetails()).isNotBlank();
            caught[0] = failure;
        });
        return caught[0];
    }

    private static TopicInfo topic(TalosTestClient owner, String name, int partitions) throws Exception {
        return call(
                        owner,
                        TopicMethods.CREATE_TOPIC,
                        new CreateTopicRequest(name, new TopicAttribute().setPartitionNumber(partitions))
                                .setAclMap(Map.of(
                                        new Grantee().setIdentifier("reader"),
                                        Permission.GET_MESSAGE_AND_DESCRIBE_TOPIC)))
                .getTopicInfo();
    }

    private static TopicGroup matching(String name, String pattern) {
        return new TopicGroup(name, "", TopicGroupType.TOPIC_PATTERN).setTopicPattern(pattern);
    }

    private static TopicGroup listed(String name, String... topics) {
        return new TopicGroup(name, "", TopicGroupType.TOPIC_SET).setTopicSet(List.of(topics));
    }

    private static TopicGroup create(TalosTestClient owner, TopicGroup group) throws Exception {
        return call(owner, TopicMethods.CREATE_TOPIC_GROUP, new CreateTopicGroupRequest(group))
                .getTopicGroup();
    }

    private static TopicGroup describe(TalosTestClient client, String name) throws Exception {
        return call(client, TopicMethods.DESCRIBE_TOPIC_GROUP, new DescribeTopicGroupRequest(name))
                .getTopicGroup();
    }

    private static Map<String, Integer> lookup(TalosTestClient client, String group) throws Exception {
        return call(client, TopicMethods.LOOKUP_TOPICS, new LookupTopicsRequest(group))
                .getTopics();
    }

    private static String resourceName(TopicInfo topic) {
        return topic.getTopicTalosResourceName().getTopicTalosResourceName();
    }

    @Test
    void groupLifeCycle() throws Exception {
        TopicGroup created = create(alice, matching("life", "life-.*").setExclusiveTopics(List.of("life-c")));
        assertThat(created)
                .isEqualTo(matching("life", "life-.*").setOwnerId("CLteam").setExclusiveTopics(List.of("life-c")));
        assertThat(describe(bob, "life")).isEqualTo(created);
        assertFails(ErrorCode.TOPIC_EXIST, () -> create(bob, listed("life", "a")));
        assertThat(call(mate, TopicMethods.LIST_TOPIC_GROUP, null).getTopicGroupList())
                .contains(created);
        assertThat(call(bob, TopicMethods.LIST_TOPIC_GROUP, null).getTopicGroupList())
                .doesNotContain(created);
        assertThat(call(admin, TopicMethods.LIST_TOPIC_GROUP, null).getTopicGroupList())
                .contains(created);

        TopicGroup wanted = listed("life", "life-a", "life-b").setOwnerId("CLteam");
        call(mate, TopicMethods.UPDATE_TOPIC_GROUP, new UpdateTopicGroupRequest(wanted));
        TopicGroup changed = describe(alice, "life");
        assertThat(changed).isEqualTo(wanted);
        assertThat(changed.isSetTopicPattern())
                .as("the Go SDK would take it for a pattern group")
                .isFalse();

        gateway.restart();
        assertThat(describe(alice, "life")).isEqualTo(wanted);

        call(mate, TopicMethods.DELETE_TOPIC_GROUP, new DeleteTopicGroupRequest("life"));
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> describe(alice, "life"));
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> lookup(alice, "life"));
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> describe(alice, "no such name!"));
        create(bob, matching("life", ".*"));
        assertThat(describe(alice, "life").getOwnerId()).isEqualTo("bob");
    }

    /** What the Go consumer of several topics begins with: the keys go into later requests as they are. */
    @Test
    void topicsOfAPatternGroupAreThoseThatTheCallerMayDescribe() throws Exception {
        TopicInfo first = topic(alice, "look-1", 3);
        TopicInfo second = topic(alice, "look-2", 1);
        topic(alice, "look-3", 1);
        TopicInfo foreign = topic(bob, "look-4", 2);
        topic(alice, "my-look-1", 1);
        create(alice, matching("look", "look-.*").setExclusiveTopics(List.of("look-3")));

        assertThat(lookup(alice, "look")).isEqualTo(Map.of(resourceName(first), 3, resourceName(second), 1));
        assertThat(lookup(bob, "look")).isEqualTo(Map.of(resourceName(foreign), 2));
        assertThat(lookup(client("reader", null), "look"))
                .isEqualTo(Map.of(resourceName(first), 3, resourceName(second), 1, resourceName(foreign), 2));
        assertThat(lookup(client("stranger", null), "look")).isEmpty();

        TopicInfo later = topic(alice, "look-5", 1);
        assertThat(lookup(alice, "look")).containsEntry(resourceName(later), 1).hasSize(3);
    }

    @Test
    void topicsOfASetAreThoseOfItThatThereAre() throws Exception {
        TopicInfo first = topic(alice, "set-1", 2);
        topic(alice, "set-10", 1);
        create(alice, listed("set", "set-1", "set-none"));

        assertThat(lookup(alice, "set")).isEqualTo(Map.of(resourceName(first), 2));
    }

    @Test
    void topicsOfATeamAreMatched() throws Exception {
        topic(alice, "match-1", 1);
        topic(bob, "match-2", 1);

        assertThat(match(admin, "match-.", "")).containsExactly("match-1", "match-2");
        assertThat(match(admin, "match-.", "CLteam")).containsExactly("match-1");
        assertThat(match(admin, "match-.", "reader")).containsExactly("match-1", "match-2");
        assertThat(match(admin, "match", "CLteam")).isEmpty();
        assertThat(match(alice, "match-.", "alice")).as("of its organization").containsExactly("match-1");
        assertThat(match(alice, "match-.", "bob")).as("what it may not see").isEmpty();
        assertFails(ErrorCode.INVALID_TOPIC_PARAMS, () -> match(alice, "(", ""));
    }

    private static List<String> match(TalosTestClient client, String pattern, String team) throws Exception {
        return call(client, TopicMethods.MATCH_TOPICS, new MatchTopicsRequest(pattern, team))
                .getTopics();
    }

    @Test
    void onlyTheOwnerAndAdministratorsChangeAGroup() throws Exception {
        TopicGroup group = create(alice, listed("kept", "a"));
        TopicGroup wanted = listed("kept", "b");
        assertThat(assertFails(
                                ErrorCode.PERMISSION_DENIED_ERROR,
                                () -> call(bob, TopicMethods.UPDATE_TOPIC_GROUP, new UpdateTopicGroupRequest(wanted)))
                        .getDetails())
                .contains("'CLteam'");
        assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                () -> call(bob, TopicMethods.DELETE_TOPIC_GROUP, new DeleteTopicGroupRequest("kept")));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> call(
                        alice,
                        TopicMethods.UPDATE_TOPIC_GROUP,
                        new UpdateTopicGroupRequest(wanted.deepCopy().setOwnerId("bob"))));
        assertThat(describe(alice, "kept")).isEqualTo(group);

        call(admin, TopicMethods.UPDATE_TOPIC_GROUP, new UpdateTopicGroupRequest(wanted));
        assertThat(describe(alice, "kept")).isEqualTo(wanted.deepCopy().setOwnerId("CLteam"));
        call(admin, TopicMethods.DELETE_TOPIC_GROUP, new DeleteTopicGroupRequest("kept"));
        assertFails(
                ErrorCode.TOPIC_NOT_EXIST,
                () -> call(admin, TopicMethods.DELETE_TOPIC_GROUP, new DeleteTopicGroupRequest("kept")));
    }

    @Test
    void groupBelongsToWhomTheRequestNamesIfTheCallerMay() throws Exception {
        assertThat(create(alice, matching("CLteam/owned-1", "a")))
                .isEqualTo(matching("owned-1", "a").setOwnerId("CLteam"));
        assertThat(create(alice, matching("owned-2", "a").setOwnerId("alice")).getOwnerId())
                .isEqualTo("alice");
        assertThat(create(bob, matching("owned-3", "a")).getOwnerId()).isEqualTo("bob");
        assertThat(create(admin, matching("owned-4", "a").setOwnerId("bob")).getOwnerId())
                .isEqualTo("bob");
        assertFails(
                ErrorCode.PERMISSION_DENIED_ERROR,
                () -> create(bob, matching("owned-5", "a").setOwnerId("alice")));
        assertFails(ErrorCode.PERMISSION_DENIED_ERROR, () -> create(bob, matching("CLteam/owned-5", "a")));
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> create(alice, matching("CLteam/owned-5", "a").setOwnerId("alice")));
        assertFails(ErrorCode.INVALID_NAME_ERROR, () -> create(alice, matching("XX1/owned-5", "a")));
    }

    @Test
    void groupThatIsNotDefinedIsRefused() throws Exception {
        List<String> tooMany = new ArrayList<>();
        for (int number = 0; number <= 100; number++) {
            tooMany.add("t" + number);
        }
        for (TopicGroup wrong : List.of(
                new TopicGroup("wrong", "", TopicGroupType.TOPIC_PATTERN),
                new TopicGroup("wrong", "", TopicGroupType.TOPIC_SET),
                listed("wrong"),
                listed("wrong", "no topic!"),
                listed("wrong", "a").setTopicPattern("a"),
                listed("wrong", "a").setExclusiveTopics(List.of("a")),
                matching("wrong", "a").setTopicSet(List.of("a")),
                matching("wrong", "a").setType(TopicGroupType.TOPIC_SET),
                matching("wrong", ""),
                matching("wrong", "("),
                matching("wrong", "a{2}"),
                matching("wrong", "x".repeat(101)),
                matching("wrong", "a").setExclusiveTopics(tooMany),
                new TopicGroup("wrong", "", TopicGroupType.TOPIC_SET).setTopicSet(tooMany))) {
            assertFails(ErrorCode.INVALID_TOPIC_PARAMS, () -> create(alice, wrong));
        }
        assertFails(
                ErrorCode.INVALID_TOPIC_PARAMS,
                () -> create(admin, listed("wrong", "a").setOwnerId("x".repeat(129))));
        for (String name : List.of("", "_a", "a b", "a#b", "x".repeat(81))) {
            assertFails(ErrorCode.INVALID_NAME_ERROR, () -> create(alice, matching(name, "a")));
        }
        assertFails(ErrorCode.TOPIC_NOT_EXIST, () -> describe(alice, "wrong"));
    }

    @Test
    void ownerHasSoManyGroupsAndNoMore() throws Exception {
        TalosTestClient eager = client("eager", null);
        for (int number = 0; number < 50; number++) {
            create(eager, matching("eager-" + number, "a"));
        }
        assertFails(ErrorCode.QUOTA_EXCEEDED, () -> create(eager, matching("eager-50", "a")));
        create(alice, matching("eager-50", "a"));
        create(admin, matching("eager-51", "a").setOwnerId("eager"));
        call(eager, TopicMethods.DELETE_TOPIC_GROUP, new DeleteTopicGroupRequest("eager-0"));
        call(eager, TopicMethods.DELETE_TOPIC_GROUP, new DeleteTopicGroupRequest("eager-1"));
        create(eager, matching("eager-0", "a"));
    }
}
