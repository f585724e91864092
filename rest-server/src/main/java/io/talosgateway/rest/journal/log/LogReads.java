package io.talosgateway.rest.journal.log;

import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.read.JournalReader;
import io.talosgateway.rest.journal.read.TailCache;

/** Where the logs of a journal find messages. */
public record LogReads(JournalStorage storage, JournalReader reader, TailCache tailCache, JournalMetrics metrics) {}
