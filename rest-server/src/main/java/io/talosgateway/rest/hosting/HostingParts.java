package io.talosgateway.rest.hosting;

import java.time.InstantSource;
import java.util.concurrent.Executor;

import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.scheduler.NanoClock;

/**
 * What hosting runs on.
 *
 * @param completions completes appends and tells readers; must not reject
 */
public record HostingParts(
        JournalStorage storage,
        Executor completions,
        InstantSource wallClock,
        NanoClock clock,
        JournalMetrics journalMetrics,
        HostingMetrics metrics,
        HostingThreads threads) {}
