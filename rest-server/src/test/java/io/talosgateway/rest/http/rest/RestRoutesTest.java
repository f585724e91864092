package io.talosgateway.rest.http.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class RestRoutesTest {

    /** All routes of the interface, without what is behind them. */
    @SuppressWarnings("NullAway")
    static List<RestRoute> routes() {
        List<RestRoute> routes = new ArrayList<>();
        routes.addAll(RestHandler.openRoutes());
        routes.addAll(new TopicOperations(null, null, null).routes());
        routes.addAll(new MessageOperations(null, null, null).routes());
        return routes;
    }

    @Test
    void pathParametersAreFound() {
        RestRoute route = routes().stream()
                .filter(r -> r.operationId().equals("getMessages"))
                .findAny()
                .orElseThrow();
        assertThat(route.match(RestRoute.segments("/v1/topics/demo/partitions/3/messages")))
                .isEqualTo(Map.of("topic", "demo", "partition", "3"));
        assertThat(route.match(RestRoute.segments("/v1/topics/demo/partitions/3")))
                .isNull();
        assertThat(route.match(RestRoute.segments("/v1/topics/demo/partitions/3/messages/")))
                .isNull();
    }

    @Test
    void everyOperationHasANameOfItsOwn() {
        assertThat(routes()).extracting(RestRoute::operationId).doesNotHaveDuplicates();
    }
}
