package io.talosgateway.rest.journal;

/** Where the logs of a journal find messages. */
record LogReads(JournalStorage storage, JournalReader reader, TailCache tailCache, JournalMetrics metrics) {}
