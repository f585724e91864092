package io.talosgateway.rest.journal;

import java.time.InstantSource;

/** What the parts of a journal share. */
record JournalParts(
        JournalId journal,
        JournalConfig config,
        JournalStorage storage,
        JournalArchive archive,
        JournalReader reader,
        FileSealer sealer,
        TailCache tailCache,
        Runnable fenced,
        InstantSource wallClock,
        JournalMetrics metrics) {}
