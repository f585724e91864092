package io.talosgateway.rest.placement;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.coordination.Placement;
import io.talosgateway.rest.coordination.Placement.PlacedHost;
import io.talosgateway.rest.coordination.Placement.Presence;
import io.talosgateway.rest.coordination.PlacementRecord;

/** The map of the placement that is in force; made anew only when hosts come or go. Safe for use by any thread. */
public final class CurrentPlacement {

    private final PlacementRecord record;
    private volatile Known known = new Known(Placement.EMPTY, List.of(), new PlacementMap(Placement.EMPTY));

    /** @param of the placement that it was last asked for */
    private record Known(Placement of, List<String> hosts, PlacementMap map) {}

    public CurrentPlacement(PlacementRecord record) {
        this.record = record;
    }

    public PlacementMap map() {
        Placement placement = record.current().placement();
        Known current = known;
        if (!isSame(current.of, placement)) {
            current = sameHosts(current.hosts, placement)
                    ? new Known(placement, current.hosts, current.map)
                    : new Known(
                            placement,
                            placement.hosts().stream().map(PlacedHost::name).toList(),
                            new PlacementMap(placement));
            known = current;
        }
        return current.map;
    }

    /** The map that would be in force if the host were in the placement too. */
    public PlacementMap mapWith(String host) {
        Placement placement = record.current().placement();
        if (placement.find(host).isPresent()) {
            return map();
        }
        List<PlacedHost> hosts = new ArrayList<>(placement.hosts());
        hosts.add(new PlacedHost(host, Presence.PRESENT));
        return new PlacementMap(new Placement(hosts));
    }

    @SuppressWarnings(
            "ReferenceEquality") // Every request asks: the names are compared only when something has changed.
    private static boolean isSame(Placement known, Placement placement) {
        return known == placement;
    }

    private static boolean sameHosts(List<String> hosts, Placement placement) {
        if (hosts.size() != placement.hosts().size()) {
            return false;
        }
        for (int index = 0; index < hosts.size(); index++) {
            if (!hosts.get(index).equals(placement.hosts().get(index).name())) {
                return false;
            }
        }
        return true;
    }
}
