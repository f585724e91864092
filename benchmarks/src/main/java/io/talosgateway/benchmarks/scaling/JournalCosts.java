package io.talosgateway.benchmarks.scaling;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What taking a journal over asks of the storage, by kind of call: so many however large it is, and so many for each file that
 * is sealed and each that is open. Found from three small journals that were taken over ({@link JournalProbe}).
 */
record JournalCosts(Terms first, Terms later) {

    /** Calls of each kind: at any rate, for each sealed file, and for each open one. */
    record Terms(Map<String, Integer> always, Map<String, Integer> sealed, Map<String, Integer> open) {

        /** Calls by kind. */
        Map<String, Long> calls(long sealedFiles, long openFiles) {
            Map<String, Long> calls = new HashMap<>();
            always.forEach((kind, count) -> calls.merge(kind, (long) count, Long::sum));
            sealed.forEach((kind, count) -> calls.merge(kind, count * sealedFiles, Long::sum));
            open.forEach((kind, count) -> calls.merge(kind, count * openFiles, Long::sum));
            return calls;
        }

        /** @param small, longer, wider one lane of 2 files, one of 3, two of 2; the last file of each lane is open */
        static Terms of(Map<String, Integer> small, Map<String, Integer> longer, Map<String, Integer> wider) {
            Set<String> kinds = new HashSet<>(small.keySet());
            kinds.addAll(longer.keySet());
            kinds.addAll(wider.keySet());
            Map<String, Integer> always = new HashMap<>();
            Map<String, Integer> sealed = new HashMap<>();
            Map<String, Integer> open = new HashMap<>();
            for (String kind : kinds) {
                int least = small.getOrDefault(kind, 0);
                int each = longer.getOrDefault(kind, 0) - least;
                int eachOpen = wider.getOrDefault(kind, 0) - least - each;
                sealed.put(kind, each);
                open.put(kind, eachOpen);
                always.put(kind, least - each - eachOpen);
            }
            return new Terms(Map.copyOf(always), Map.copyOf(sealed), Map.copyOf(open));
        }
    }

    static JournalCosts count() throws IOException, InterruptedException {
        JournalProbe.Calls small = JournalProbe.count(1, 2);
        JournalProbe.Calls longer = JournalProbe.count(1, 3);
        JournalProbe.Calls wider = JournalProbe.count(2, 2);
        return new JournalCosts(
                Terms.of(small.first(), longer.first(), wider.first()),
                Terms.of(small.later(), longer.later(), wider.later()));
    }
}
