package io.talosgateway.rest.bootstrap;

import java.util.List;
import java.util.Map;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.http.rest.ClusterStatus.Host;
import io.talosgateway.rest.http.rest.ClusterStatus.State;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ClusterViewTest {

    private static HostInfo alive(String name, Intent intent) {
        return new HostInfo(name, 3, name + ":8080", name + ":8082", intent);
    }

    @Test
    void hostsThatAreAliveOrHavePartitionsAreShown() {
        Placement placement = new Placement(List.of(
                new PlacedHost("a", Presence.PRESENT),
                new PlacedHost("b", Presence.PRESENT),
                new PlacedHost("gone", Presence.ABSENT),
                new PlacedHost("restarted", Presence.RESTARTING)));
        Map<String, HostInfo> alive = Map.of(
                "a", alive("a", Intent.SERVE),
                "b", alive("b", Intent.LEAVE),
                "new", alive("new", Intent.SERVE),
                "reads", alive("reads", Intent.START));

        List<Host> hosts = ClusterView.hosts(alive, placement, Map.of("a", 5, "b", 4, "gone", 3));

        assertThat(hosts)
                .containsExactly(
                        new Host("a", State.SERVING, "a:8080", 5),
                        new Host("b", State.LEAVING, "b:8080", 4),
                        new Host("gone", State.ABSENT, null, 3),
                        new Host("new", State.JOINING, "new:8080", 0),
                        new Host("reads", State.JOINING, "reads:8080", 0),
                        new Host("restarted", State.RESTARTING, null, 0));
    }
}
