package io.talosgateway.benchmarks.scaling;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What taking a journal over asks of the storage, by kind of call: so many however large it is, and so many for each index file, each
 * sealed file that is in none, and each lane, which has an open file. Found from four small journals that were taken over
 * ({@link JournalProbe}).
 */
record JournalCosts(Terms first, Terms later) {

    /** Calls of each kind: at any rate, for each index file, for each sealed file that is in none, and for each lane. */
    record Terms(
            Map<String, Integer> always,
            Map<String, Integer> indexFile,
            Map<String, Integer> looseFile,
            Map<String, Integer> lane) {

        /** Calls by kind. */
        Map<String, Long> calls(long indexFiles, long looseFiles, long lanes) {
            Map<String, Long> calls = new HashMap<>();
            always.forEach((kind, count) -> calls.merge(kind, (long) count, Long::sum));
            indexFile.forEach((kind, count) -> calls.merge(kind, count * indexFiles, Long::sum));
            looseFile.forEach((kind, count) -> calls.merge(kind, count * looseFiles, Long::sum));
            lane.forEach((kind, count) -> calls.merge(kind, count * lanes, Long::sum));
            return calls;
        }

        /**
         * @param small a lane with an index file, a loose file and an open one
         * @param indexed with an index file more
         * @param none without the loose file
         * @param wider two lanes like the first
         */
        static Terms of(
                Map<String, Integer> small,
                Map<String, Integer> indexed,
                Map<String, Integer> none,
                Map<String, Integer> wider) {
            Set<String> kinds = new HashSet<>();
            for (Map<String, Integer> calls : List.of(small, indexed, none, wider)) {
                kinds.addAll(calls.keySet());
            }
            Map<String, Integer> always = new HashMap<>();
            Map<String, Integer> indexFile = new HashMap<>();
            Map<String, Integer> looseFile = new HashMap<>();
            Map<String, Integer> lane = new HashMap<>();
            for (String kind : kinds) {
                int count = small.getOrDefault(kind, 0);
                int ofIndex = indexed.getOrDefault(kind, 0) - count;
                int ofLoose = count - none.getOrDefault(kind, 0);
                int ofLane = wider.getOrDefault(kind, 0) - count - ofIndex - ofLoose;
                indexFile.put(kind, ofIndex);
                looseFile.put(kind, ofLoose);
                lane.put(kind, ofLane);
                always.put(kind, count - ofIndex - ofLoose - ofLane);
            }
            return new Terms(Map.copyOf(always), Map.copyOf(indexFile), Map.copyOf(looseFile), Map.copyOf(lane));
        }
    }

    static JournalCosts count() throws IOException, InterruptedException {
        int index = JournalProbe.INDEXED_FILES;
        JournalProbe.Calls small = JournalProbe.count(1, index + 1);
        JournalProbe.Calls indexed = JournalProbe.count(1, 2 * index + 1);
        JournalProbe.Calls none = JournalProbe.count(1, index);
        JournalProbe.Calls wider = JournalProbe.count(2, index + 1);
        return new JournalCosts(
                Terms.of(small.first(), indexed.first(), none.first(), wider.first()),
                Terms.of(small.later(), indexed.later(), none.later(), wider.later()));
    }
}
