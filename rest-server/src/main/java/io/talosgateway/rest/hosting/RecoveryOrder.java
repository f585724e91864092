package io.talosgateway.rest.hosting;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;

import com.google.common.hash.Hashing;
import io.talosgateway.rest.journal.JournalId;

/**
 * The order in which a host recovers journals. Each host begins elsewhere, so that when many hosts were lost not all others
 * wait for the same journal at the same time. A pure function of the names.
 */
public final class RecoveryOrder {

    private RecoveryOrder() {}

    /** The order of a host. */
    public static Comparator<JournalId> of(String host) {
        return Comparator.comparingLong((JournalId journal) -> hash(host, journal))
                .thenComparing(Comparator.naturalOrder());
    }

    /** Mixes all letters into all bits: names of hosts differ in their last letters. */
    private static long hash(String host, JournalId journal) {
        return Hashing.murmur3_128()
                .hashString(host + " " + journal, StandardCharsets.UTF_8)
                .asLong();
    }
}
