package io.talosgateway.rest.placement;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PlacementRulesTest {

    private static final PlacementConfig CONFIG =
            new PlacementConfig(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(60));

    private PlacementRules rules = new PlacementRules(CONFIG);
    private final Map<String, HostInfo> alive = new HashMap<>();
    private Placement placement = Placement.EMPTY;
    private long nowNanos = -3;

    private PlacementRulesTest comes(String... names) {
        for (String name : names) {
            alive.put(name, new HostInfo(name, 1, name + ":1", name + ":2", Intent.SERVE));
        }
        return this;
    }

    private PlacementRulesTest announces(String name, Intent intent) {
        alive.computeIfPresent(name, (key, host) -> host.with(intent));
        return this;
    }

    private PlacementRulesTest goes(String name) {
        alive.remove(name);
        return this;
    }

    private String afterSeconds(double seconds) {
        placement = rules.next(placement, alive, nowNanos);
        nowNanos += (long) (seconds * 1e9);
        placement = rules.next(placement, alive, nowNanos);
        StringBuilder text = new StringBuilder();
        placement
                .hosts()
                .forEach(host -> text.append(text.isEmpty() ? "" : " ")
                        .append(
                                switch (host.presence()) {
                                    case PRESENT -> host.name();
                                    case ABSENT -> "(" + host.name() + ")";
                                    case RESTARTING -> "[" + host.name() + "]";
                                }));
        return text.toString();
    }

    @Test
    void newHostsWaitForEachOther() {
        assertThat(comes("a").afterSeconds(0.9)).isEmpty();
        assertThat(comes("b").afterSeconds(0.1)).isEqualTo("a b");
        assertThat(comes("c").afterSeconds(0.9)).isEqualTo("a b");
        assertThat(afterSeconds(0.1)).isEqualTo("a b c");
    }

    @Test
    void aHostThatVanishesKeepsItsPartitionsForAShortTime() {
        comes("a", "b").afterSeconds(1);

        assertThat(goes("a").afterSeconds(4.9)).isEqualTo("(a) b");
        assertThat(comes("a").afterSeconds(0)).isEqualTo("a b");
        assertThat(goes("a").afterSeconds(4.9)).isEqualTo("(a) b");
        assertThat(afterSeconds(0.1)).isEqualTo("b");
    }

    @Test
    void aHostThatWasRemovedCanComeBack() {
        comes("a", "b").afterSeconds(1);
        assertThat(goes("a").afterSeconds(5)).isEqualTo("b");
        assertThat(comes("a").afterSeconds(1)).isEqualTo("a b");
        assertThat(afterSeconds(100)).isEqualTo("a b");
    }

    @Test
    void aHostThatAnnouncedARestartKeepsThemForALongTime() {
        comes("a", "b").afterSeconds(1);

        assertThat(announces("a", Intent.RESTART).afterSeconds(100)).isEqualTo("[a] b");
        assertThat(goes("a").afterSeconds(59)).isEqualTo("[a] b");
        assertThat(afterSeconds(1)).isEqualTo("b");
    }

    @Test
    void aHostThatLeavesGoesAtOnce() {
        comes("a", "b").afterSeconds(1);

        assertThat(announces("a", Intent.LEAVE).afterSeconds(0)).isEqualTo("b");
        assertThat(goes("a").afterSeconds(100)).isEqualTo("b");
        assertThat(comes("a").afterSeconds(1)).isEqualTo("a b");
    }

    @Test
    void theLastOneIsWaitedForAsNobodyElseCouldServe() {
        comes("a").afterSeconds(1);
        assertThat(announces("a", Intent.LEAVE).afterSeconds(0)).isEqualTo("[a]");
        assertThat(goes("a").afterSeconds(1_000)).isEqualTo("[a]");
        assertThat(comes("b").afterSeconds(1)).isEqualTo("b");
    }

    @Test
    void ifAllVanishNobodyIsRemoved() {
        comes("a", "b", "c").afterSeconds(1);
        assertThat(goes("a").goes("b").goes("c").afterSeconds(1_000)).isEqualTo("(a) (b) (c)");
        assertThat(comes("b").afterSeconds(0)).isEqualTo("b");
    }

    @Test
    void aNewControllerCountsAnew() {
        comes("a", "b").afterSeconds(1);
        goes("a").afterSeconds(4);
        rules = new PlacementRules(CONFIG);

        assertThat(afterSeconds(4)).isEqualTo("(a) b");
        assertThat(afterSeconds(1)).isEqualTo("b");
    }

    @Test
    void whoLeavesAndIsNotPlacedStaysOut() {
        comes("a", "b").afterSeconds(1);
        assertThat(comes("c").announces("c", Intent.LEAVE).afterSeconds(10)).isEqualTo("a b");
    }
}
