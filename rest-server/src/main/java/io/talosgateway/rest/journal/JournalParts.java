package io.talosgateway.rest.journal;

import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What the parts of a journal share.
 *
 * @param background for work that a lane need not wait for; may reject once the journal is closed
 */
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
        Executor background,
        JournalMetrics metrics) {}
