package io.talosgateway.rest.journal.lane;

import java.time.InstantSource;
import java.util.concurrent.Executor;

import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.recovery.JournalArchive;
import io.talosgateway.scheduler.NanoClock;

/**
 * What the lanes of a journal share.
 *
 * @param fenced told when it turns out that another incarnation has fenced the journal
 * @param completions completes appends; must not reject
 * @param background for work that a lane need not wait for; may reject once the journal is closed
 * @param clock of deadlines, and of how long things take
 */
public record LaneParts(
        JournalId journal,
        JournalConfig config,
        JournalStorage storage,
        JournalArchive archive,
        FileSealer sealer,
        Runnable fenced,
        Executor completions,
        Executor background,
        InstantSource wallClock,
        NanoClock clock,
        JournalMetrics metrics) {}
