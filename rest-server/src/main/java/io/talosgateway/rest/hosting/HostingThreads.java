package io.talosgateway.rest.hosting;

import io.talosgateway.rest.journal.JournalThreads;

/** Where the work of hosting runs: threads in a gateway, one queue of events in a simulation. */
public interface HostingThreads extends AutoCloseable {

    /** Runs a change of what this host serves, one after another; dropped once this is closed. */
    void change(Runnable change);

    /** The same, in a while. */
    void changeLater(Runnable change, long delayMs);

    /** Runs what blocks for storage or coordination, several at a time. */
    void takeTime(Runnable work);

    /** Where the journal of an incarnation works; closed with the incarnation. */
    JournalThreads newJournalThreads();

    @Override
    void close();
}
