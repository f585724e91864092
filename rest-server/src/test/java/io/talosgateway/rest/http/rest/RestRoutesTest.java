package io.talosgateway.rest.http.rest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.talosgateway.rest.auth.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

final class RestRoutesTest {

    /** All routes of the interface, without what is behind them. */
    @SuppressWarnings("NullAway")
    static List<RestRoute> routes() {
        List<RestRoute> routes = new ArrayList<>();
        routes.addAll(RestHandler.openRoutes());
        routes.addAll(new TopicOperations(null, null, null).routes());
        routes.addAll(new PermissionOperations(null, null).routes());
        routes.addAll(new QuotaOperations(null, null, null).routes());
        routes.addAll(new MessageOperations(null, null, null, null, null).routes());
        routes.addAll(new OwnerQuotaOperations(null, null).routes());
        routes.addAll(new FencingTokenOperations(null, null).routes());
        routes.addAll(new GroupOperations(null, null, null).routes());
        routes.addAll(new MemberOperations(null, null, null, null).routes());
        routes.addAll(new ClusterOperations(null, null, null, null).routes());
        routes.addAll(new KeyOperations(null).routes());
        return routes;
    }

    private static void assertParameters(RestRoute.@Nullable Match match, String topic, String partition) {
        assertThat(match).isNotNull();
        assertThat(match.parameter("topic")).isEqualTo(topic);
        assertThat(match.parameter("partition")).isEqualTo(partition);
        assertThatIllegalStateException().isThrownBy(() -> match.parameter("messages"));
    }

    @Test
    void pathParametersAreFound() {
        RestRoute route = routes().stream()
                .filter(r -> r.operationId().equals("getMessages"))
                .findAny()
                .orElseThrow();
        assertParameters(route.match("/v1/topics/demo/partitions/3/messages"), "demo", "3");
        assertThat(route.match("/v1/topics/demo/partitions/3")).isNull();
        assertThat(route.match("/v1/topics/demo/partitions/3/messages/")).isNull();
        assertThat(route.match("/v1/topics/demo/partitions/3/message")).isNull();
        assertThat(route.match("/v1/topics/demo/partitions/3/messages2")).isNull();
        assertParameters(route.match("/v1/topics//partitions//messages"), "", "");
        assertThat(route.match("/")).isNull();
        assertThat(route.match("")).isNull();
        assertThat(route.match("*")).isNull();
    }

    @Test
    void rootIsOfOneRouteThatHasNothingElse() {
        assertThat(routes())
                .filteredOn(route -> route.match("/v1/topics") != null)
                .extracting(RestRoute::template)
                .containsOnly("/v1/topics");
        assertThat(routes())
                .filteredOn(route -> route.match("/") != null)
                .extracting(RestRoute::operationId)
                .containsExactly("getIndex");
    }

    @Test
    void everyOperationOfTheTableHasOneRoute() {
        assertThat(routes())
                .extracting(RestRoute::operation)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Operation.values())
                        .filter(operation -> operation.api() == Operation.Api.REST)
                        .toList());
        assertThat(routes()).extracting(RestRoute::operationId).doesNotHaveDuplicates();
    }

    @Test
    void whatNeedsAPermissionHasATopicInItsPath() {
        assertThat(routes())
                .allSatisfy(route -> assertThat(route.template().contains("{topic}"))
                        .isEqualTo(route.operation().need().permission() != null));
    }
}
