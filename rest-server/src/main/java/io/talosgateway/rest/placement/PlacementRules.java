package io.talosgateway.rest.placement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.talosgateway.rest.coordination.HostInfo;
import io.talosgateway.rest.coordination.HostInfo.Intent;
import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import org.jspecify.annotations.Nullable;

/**
 * What the controller decides: who is in the placement. Remembers since when hosts have been gone, by its own clock: a new
 * controller starts to count anew, and nobody's wall clock matters. For one thread.
 */
public final class PlacementRules {

    private final PlacementConfig config;
    private final Map<String, Long> goneSinceNanos = new HashMap<>();
    private final Map<String, Long> newSinceNanos = new HashMap<>();

    public PlacementRules(PlacementConfig config) {
        this.config = config;
    }

    /** The placement that should be, given the one that is and the hosts that are alive. */
    public Placement next(Placement current, Map<String, HostInfo> alive, long nowNanos) {
        Set<String> placedNames = new HashSet<>();
        current.hosts().forEach(placed -> placedNames.add(placed.name()));
        goneSinceNanos.keySet().removeIf(name -> alive.containsKey(name) || !placedNames.contains(name));
        List<PlacedHost> hosts = new ArrayList<>();
        for (PlacedHost placed : current.hosts()) {
            HostInfo host = alive.get(placed.name());
            if (host == null) {
                goneSinceNanos.putIfAbsent(placed.name(), nowNanos);
                hosts.add(new PlacedHost(
                        placed.name(),
                        placed.presence() == Presence.RESTARTING ? Presence.RESTARTING : Presence.ABSENT));
            } else {
                hosts.add(new PlacedHost(
                        placed.name(), host.intent() == Intent.RESTART ? Presence.RESTARTING : Presence.PRESENT));
            }
        }
        addNewcomers(hosts, placedNames, alive, nowNanos);
        remove(hosts, alive, nowNanos);
        hosts.sort(Comparator.comparing(PlacedHost::name));
        return new Placement(hosts);
    }

    private void addNewcomers(
            List<PlacedHost> hosts, Set<String> placedNames, Map<String, HostInfo> alive, long nowNanos) {
        List<String> newcomers = alive.values().stream()
                .filter(host -> host.intent() == Intent.SERVE)
                .map(HostInfo::name)
                .filter(name -> !placedNames.contains(name))
                .toList();
        newSinceNanos.keySet().retainAll(Set.copyOf(newcomers));
        newcomers.forEach(name -> newSinceNanos.putIfAbsent(name, nowNanos));
        long joinDelayNanos = config.joinDelay().toNanos();
        if (newSinceNanos.values().stream().anyMatch(since -> nowNanos - since >= joinDelayNanos)) {
            newcomers.forEach(name -> hosts.add(new PlacedHost(name, Presence.PRESENT)));
        }
    }

    /** Those that leave or have been gone for too long, as long as somebody is there to take their partitions. */
    private void remove(List<PlacedHost> hosts, Map<String, HostInfo> alive, long nowNanos) {
        Set<PlacedHost> going = hosts.stream()
                .filter(placed -> isToGo(placed, alive.get(placed.name()), nowNanos))
                .collect(Collectors.toSet());
        boolean someoneStays =
                hosts.stream().anyMatch(placed -> placed.presence() == Presence.PRESENT && !going.contains(placed));
        if (someoneStays) {
            hosts.removeAll(going);
        } else {
            // Nobody could take what a leaving host has: it is kept, as for one that restarts.
            hosts.replaceAll(placed ->
                    isLeaving(alive.get(placed.name())) ? new PlacedHost(placed.name(), Presence.RESTARTING) : placed);
        }
    }

    private boolean isToGo(PlacedHost placed, @Nullable HostInfo host, long nowNanos) {
        Long goneSince = goneSinceNanos.get(placed.name());
        if (goneSince == null) {
            return isLeaving(host);
        }
        long delayNanos =
                (placed.presence() == Presence.RESTARTING ? config.restartDelay() : config.removalDelay()).toNanos();
        return nowNanos - goneSince >= delayNanos;
    }

    private static boolean isLeaving(@Nullable HostInfo host) {
        return host != null && host.intent() == Intent.LEAVE;
    }
}
