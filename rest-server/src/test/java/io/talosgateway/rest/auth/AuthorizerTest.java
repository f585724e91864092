package io.talosgateway.rest.auth;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.talosgateway.rest.auth.Authorizer.Verdict;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Permission;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.SubResource;
import io.talosgateway.rest.topic.TopicGroup;
import io.talosgateway.rest.topic.TopicGroupName;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class AuthorizerTest {

    /** One operation for each permission. */
    private static final Map<Permission, Operation> OPERATIONS = Map.of(
            Permission.PUT, Operation.MESSAGE_PUT_MESSAGE,
            Permission.GET, Operation.MESSAGE_GET_MESSAGE,
            Permission.DESCRIBE, Operation.TOPIC_DESCRIBE_TOPIC,
            Permission.CHANGE_TOPIC, Operation.TOPIC_DELETE_TOPIC,
            Permission.CHANGE_PERMISSION, Operation.TOPIC_SET_PERMISSION);

    private static final Set<Permission> EVERYTHING = EnumSet.allOf(Permission.class);

    private static TopicMetadata topic(String owner, Map<String, Integer> acl) {
        return new TopicMetadata(
                new TopicName("orders"),
                new TopicId(1, 2),
                owner,
                1,
                Duration.ofDays(1),
                Map.of(),
                acl,
                Quota.UNLIMITED,
                1);
    }

    private static Principal principal(String id, @Nullable String organization) {
        return new Principal(id, organization, false, false, KeyScope.ALL);
    }

    private static Principal scoped(Principal principal, Set<Permission> permissions, String... topics) {
        return new Principal(
                principal.id(),
                principal.organization(),
                principal.admin(),
                principal.guest(),
                new KeyScope(permissions, List.of(topics)));
    }

    /** What the principal may do; checks that what it may not do is forbidden or, if it may do nothing, invisible. */
    private static Set<Permission> allowed(Principal principal, TopicMetadata topic) {
        Set<Permission> allowed = EnumSet.noneOf(Permission.class);
        OPERATIONS.forEach((permission, operation) -> {
            if (Authorizer.decide(principal, operation, topic) == Verdict.ALLOWED) {
                allowed.add(permission);
            }
        });
        OPERATIONS.forEach((permission, operation) -> {
            if (!allowed.contains(permission)) {
                assertThat(Authorizer.decide(principal, operation, topic))
                        .isEqualTo(allowed.isEmpty() ? Verdict.INVISIBLE : Verdict.FORBIDDEN);
            }
        });
        assertThat(Authorizer.isShown(principal, topic)).isEqualTo(allowed.contains(Permission.DESCRIBE));
        return allowed;
    }

    @Test
    void ownersTheirTeamsAndAdministratorsMayDoEverything() {
        assertThat(allowed(principal("alice", null), topic("alice", Map.of()))).isEqualTo(EVERYTHING);
        assertThat(allowed(principal("alice", "CL1"), topic("alice", Map.of()))).isEqualTo(EVERYTHING);
        assertThat(allowed(principal("bea", "CL1"), topic("CL1", Map.of()))).isEqualTo(EVERYTHING);
        assertThat(allowed(new Principal("root", null, true, false, KeyScope.ALL), topic("alice", Map.of())))
                .isEqualTo(EVERYTHING);
        assertThat(allowed(new Principal("guest", null, true, true, KeyScope.ALL), topic("alice", Map.of())))
                .isEqualTo(EVERYTHING);
    }

    @Test
    void teamThatATopicWasHandedToMayDoEverythingAndItsOrganizationNothing() {
        TopicMetadata topic = topic("alice", Map.of()).withSubResource(SubResource.of("CL1", "CI1"));
        assertThat(allowed(principal("CI1", null), topic)).isEqualTo(EVERYTHING);
        assertThat(allowed(principal("bea", "CI1"), topic)).isEqualTo(EVERYTHING);
        assertThat(allowed(principal("alice", null), topic)).isEqualTo(EVERYTHING);
        assertThat(allowed(principal("CI2", "CL1"), topic)).isEmpty();
    }

    @Test
    void topicsAreBoundToThoseWhoOwnThemOrWereGrantedSomething() {
        Principal admin = new Principal("root", null, true, false, KeyScope.ALL);
        TopicMetadata topic = topic("alice", Map.of("bob", 1, "CL2", 2, "carol", 16, "root", 4))
                .withSubResource(SubResource.of("CL1", "CI1"));
        for (Principal bound : List.of(
                principal("alice", null),
                principal("CI1", "CL1"),
                principal("bob", null),
                principal("dave", "CL2"),
                admin)) {
            assertThat(Authorizer.isBound(bound, topic)).as("%s", bound).isTrue();
        }
        assertThat(Authorizer.isBound(admin, topic("alice", Map.of()))).isFalse();
        assertThat(Authorizer.isBound(principal("carol", null), topic)).isFalse();
        assertThat(Authorizer.isBound(principal("CI2", "CL1"), topic)).isFalse();
        assertThat(Authorizer.isBound(scoped(principal("alice", null), EVERYTHING, "billing-*"), topic))
                .isFalse();
        assertThat(Authorizer.isBound(scoped(principal("bob", null), EnumSet.of(Permission.GET), "*"), topic))
                .isFalse();
    }

    /** Also to whoever has the name that stands as their owner. */
    @Test
    void topicsOfTheGatewayItselfAreBoundToNobody() {
        TopicMetadata own = new TopicMetadata(
                TopicName.CONSUMER_GROUPS,
                new TopicId(1, 2),
                "alice",
                1,
                Duration.ofDays(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                1);
        assertThat(Authorizer.isBound(principal("alice", null), own)).isFalse();
        assertThat(Authorizer.isBoundToTeam(principal("bob", null), "alice", own))
                .isFalse();
    }

    @Test
    void strangersSeeNothing() {
        TopicMetadata topic = topic("alice", Map.of("carol", 7));
        assertThat(allowed(principal("bob", null), topic)).isEmpty();
        assertThat(allowed(principal("bob", "CL1"), topic)).isEmpty();
        assertThat(allowed(Principal.GUEST, topic)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1,PUT", "2,GET", "4,DESCRIBE"})
    void grantsAllowWhatTheySay(int bit, Permission permission) {
        assertThat(allowed(principal("bob", null), topic("alice", Map.of("bob", bit))))
                .containsExactly(permission);
        assertThat(allowed(principal("bob", "CL2"), topic("alice", Map.of("CL2", bit))))
                .containsExactly(permission);
    }

    @Test
    void grantsToAPrincipalAndItsOrganizationAddUp() {
        assertThat(allowed(principal("bob", "CL2"), topic("alice", Map.of("bob", 1, "CL2", 4, "CL3", 2))))
                .containsExactly(Permission.PUT, Permission.DESCRIBE);
    }

    @Test
    void whatOnlyOwnersHaveCannotBeGranted() {
        // As an older release recorded it, which took any bits.
        assertThat(allowed(principal("bob", null), topic("alice", Map.of("bob", 31))))
                .containsExactly(Permission.PUT, Permission.GET, Permission.DESCRIBE);
        assertThat(allowed(principal("bob", null), topic("alice", Map.of("bob", 24))))
                .isEmpty();
    }

    @Test
    void scopeTakesAwayAndAddsNothing() {
        Set<Permission> reading = EnumSet.of(Permission.GET, Permission.DESCRIBE);
        TopicMetadata topic = topic("alice", Map.of("bob", 5));
        assertThat(allowed(scoped(principal("alice", null), reading, "*"), topic))
                .isEqualTo(reading);
        assertThat(allowed(scoped(principal("alice", null), EVERYTHING, "ord*"), topic))
                .isEqualTo(EVERYTHING);
        assertThat(allowed(scoped(principal("alice", null), EVERYTHING, "billing-*"), topic))
                .isEmpty();
        assertThat(allowed(scoped(principal("bob", null), reading, "*"), topic)).containsExactly(Permission.DESCRIBE);
        assertThat(allowed(scoped(principal("carol", null), EVERYTHING, "*"), topic))
                .isEmpty();
        Principal admin = new Principal("root", null, true, false, KeyScope.ALL);
        assertThat(allowed(scoped(admin, reading, "*"), topic)).isEqualTo(reading);
        assertThat(allowed(scoped(admin, reading, "billing-*"), topic)).isEmpty();
    }

    @Test
    void refusalsSayWhatIsMissingAndWhoHelps() {
        TopicMetadata topic = topic("alice", Map.of("bob", 4));
        assertThat(Authorizer.refusal(principal("bob", null), Operation.MESSAGE_PUT_MESSAGE, topic)
                        .detail())
                .contains("'put'", "'orders'", "'bob'", "the owner 'alice' or an administrator can grant it");
        assertThat(Authorizer.refusal(principal("bob", null), Operation.TOPIC_DELETE_TOPIC, topic)
                        .detail())
                .contains("'change-topic'", "only its owner 'alice' and administrators have");
        GatewayException outOfScope = Authorizer.refusal(
                scoped(principal("alice", null), EnumSet.of(Permission.GET), "*"),
                Operation.MESSAGE_PUT_MESSAGE,
                topic);
        assertThat(outOfScope.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
        assertThat(outOfScope.detail()).contains("scope of this key", "'put'");
    }

    private static void assertDenied(ThrowingCallable call, String... told) {
        assertThatThrownBy(call).isInstanceOfSatisfying(GatewayException.class, refusal -> {
            assertThat(refusal.code()).isEqualTo(ErrorCode.PERMISSION_DENIED);
            assertThat(refusal.detail()).contains(told);
        });
    }

    @Test
    void topicGroupsAreChangedByTheirOwnersAndAdministratorsAsFarAsTheScopeGoes() {
        TopicGroup group = new TopicGroup(
                new TopicGroupName("readers"), "CL1", new TopicGroup.Listed(List.of(new TopicName("orders"))));
        Principal admin = new Principal("root", null, true, false, KeyScope.ALL);
        Principal mate = principal("bea", "CL1");
        for (Principal allowed : List.of(mate, principal("CL1", null), admin, scoped(mate, EVERYTHING, "read*"))) {
            Authorizer.requireGroupOwner(allowed, group);
            assertThat(Authorizer.ownsGroup(allowed, group)).isTrue();
        }
        assertDenied(() -> Authorizer.requireGroupOwner(principal("bob", "CL2"), group), "'readers'", "'CL1'");
        assertThat(Authorizer.ownsGroup(principal("bob", "CL2"), group)).isFalse();
        for (Principal narrow : List.of(
                scoped(mate, EnumSet.of(Permission.PUT, Permission.GET, Permission.DESCRIBE), "*"),
                scoped(mate, EVERYTHING, "orders"),
                scoped(admin, EVERYTHING, "orders"))) {
            assertDenied(() -> Authorizer.requireGroupOwner(narrow, group), "scope", "'readers'");
            assertDenied(() -> Authorizer.ownerOfNewGroup(narrow, "readers", null), "scope", "'readers'");
        }
    }

    @Test
    void topicGroupsBelongToTheOrganizationOfTheirCreatorOrToWhomItNames() {
        assertThat(Authorizer.ownerOfNewGroup(principal("alice", null), "g", null))
                .isEqualTo("alice");
        assertThat(Authorizer.ownerOfNewGroup(principal("alice", "CL1"), "g", null))
                .isEqualTo("CL1");
        assertThat(Authorizer.ownerOfNewGroup(principal("alice", "CL1"), "g", "alice"))
                .isEqualTo("alice");
        assertDenied(() -> Authorizer.ownerOfNewGroup(principal("alice", "CL1"), "g", "CL2"), "'CL2'");
    }

    @Test
    void topicsBelongToTheOrganizationOfTheirCreator() {
        assertThat(Authorizer.ownerOfNew(principal("alice", null), "t", null, true))
                .isEqualTo("alice");
        assertThat(Authorizer.ownerOfNew(principal("alice", "CL1"), "t", null, true))
                .isEqualTo("CL1");
        assertThat(Authorizer.ownerOfNew(principal("alice", "CL1"), "t", "CL1", true))
                .isEqualTo("CL1");
        Principal admin = new Principal("root", null, true, false, KeyScope.ALL);
        assertThat(Authorizer.ownerOfNew(admin, "t", "CL1", true)).isEqualTo("CL1");
        assertDenied(() -> Authorizer.ownerOfNew(principal("alice", null), "t", "CL1", false), "'CL1'");
        assertDenied(() -> Authorizer.ownerOfNew(principal("alice", "CL2"), "t", "CL1", false), "'CL1'");
        // Its own id is no organization.
        assertDenied(() -> Authorizer.ownerOfNew(principal("CL1", null), "t", "CL1", false), "'CL1'");
    }

    @Test
    void keyOfANarrowScopeCreatesWhatItMayChange() {
        Principal alice = principal("alice", null);
        Principal changes = scoped(alice, EnumSet.of(Permission.CHANGE_TOPIC), "billing-*");
        assertThat(Authorizer.ownerOfNew(changes, "billing-1", null, false)).isEqualTo("alice");
        assertDenied(() -> Authorizer.ownerOfNew(changes, "orders", null, false), "'change-topic'");
        assertDenied(() -> Authorizer.ownerOfNew(changes, "billing-1", null, true), "'change-permission'");
        Principal puts = scoped(alice, EnumSet.of(Permission.PUT), "*");
        assertDenied(() -> Authorizer.ownerOfNew(puts, "orders", null, false), "'change-topic'");
    }

    private static void assertDenied(Runnable action, String text) {
        assertThatThrownBy(action::run)
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        reason -> assertThat(reason.code()).isEqualTo(ErrorCode.PERMISSION_DENIED))
                .hasMessageContaining(text);
    }

    @Test
    void administrationIsForAdministratorsWithoutAScope() {
        Principal admin = new Principal("root", null, true, false, KeyScope.ALL);
        Authorizer.requireAdmin(admin, Operation.QUOTA_SET_USER_QUOTA);
        Authorizer.requireAdmin(principal("alice", null), Operation.REST_LIST_TOPICS);
        assertDenied(
                () -> Authorizer.requireAdmin(principal("alice", null), Operation.QUOTA_SET_USER_QUOTA),
                "'setUserQuota'");
        assertDenied(
                () -> Authorizer.requireAdmin(scoped(admin, EVERYTHING, "a*"), Operation.QUOTA_SET_USER_QUOTA),
                "'setUserQuota'");
    }

    @Test
    void onlyWhatNeedsNothingIsDoneWithoutAKey() {
        for (Operation operation : Operation.values()) {
            assertThat(Authorizer.lacksKey(Principal.GUEST, operation)).isEqualTo(operation.need() != Need.NOTHING);
            assertThat(Authorizer.lacksKey(principal("alice", null), operation)).isFalse();
            assertThat(Authorizer.lacksKey(new Principal("guest", null, true, true, KeyScope.ALL), operation))
                    .isFalse();
        }
    }
}
