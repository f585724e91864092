package io.talosgateway.benchmarks.scaling;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What changes hands when one placement follows another.
 *
 * @param byReceiver for each host that gets some, which
 * @param needed that belonged to a host that is gone, or go to one that is new: no placement could do with less
 */
record Moves(Map<Integer, List<Move>> byReceiver, int needed) {

    /** Of a partition. */
    record Move(int topic, int partition, int from, int to) {}

    static Moves between(Assignment before, Assignment after, Set<Integer> hostsBefore, Set<Integer> hostsAfter) {
        Map<Integer, List<Move>> byReceiver = new TreeMap<>();
        int needed = 0;
        for (int topic = 0; topic < before.owners().length; topic++) {
            int[] from = before.owners()[topic];
            int[] to = after.owners()[topic];
            for (int partition = 0; partition < from.length; partition++) {
                if (from[partition] != to[partition]) {
                    byReceiver
                            .computeIfAbsent(to[partition], host -> new ArrayList<>())
                            .add(new Move(topic, partition, from[partition], to[partition]));
                    needed += hostsAfter.contains(from[partition]) && hostsBefore.contains(to[partition]) ? 0 : 1;
                }
            }
        }
        return new Moves(byReceiver, needed);
    }

    int count() {
        return byReceiver.values().stream().mapToInt(List::size).sum();
    }

    /** Most that one host gets. */
    int most() {
        return byReceiver.values().stream().mapToInt(List::size).max().orElse(0);
    }

    /** Those of hosts that are still there, which have to release them. */
    long released(Collection<Integer> alive) {
        return byReceiver.values().stream()
                .flatMap(List::stream)
                .filter(move -> alive.contains(move.from()))
                .count();
    }
}
