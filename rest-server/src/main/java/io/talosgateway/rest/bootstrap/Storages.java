package io.talosgateway.rest.bootstrap;

import java.io.IOException;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.hdfs.HdfsJournalStorage;
import io.talosgateway.rest.journal.hdfs.StorageConfig;
import io.talosgateway.rest.journal.local.LocalJournalStorage;

/** Opens what {@code storage.root} names. */
public final class Storages {

    private Storages() {}

    /** @throws IOException with a sentence for the operator if the storage cannot be used */
    public static JournalStorage open(StorageConfig config) throws IOException {
        return config.isLocal() ? LocalJournalStorage.open(config.root()) : HdfsJournalStorage.open(config);
    }
}
