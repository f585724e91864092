package io.talosgateway.loadgen.plan;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say how many send how often. */
public final class TrafficOptions {

    private static final int DEFAULT_PUT_THREADS = 120;

    @Option(names = "--put-threads", paramLabel = "N", description = "Producers. Default: " + DEFAULT_PUT_THREADS + ".")
    private @Nullable Integer putThreads;

    @Option(
            names = "--get-threads",
            paramLabel = "N",
            description = "Readers, which follow the ends of their partitions. Default: 0.")
    private @Nullable Integer getThreads;

    @Option(
            names = "--pending",
            paramLabel = "N",
            description = {
                "Puts that are pending at any time, in place of --put-threads: no thread waits for them. A few "
                        + "threads (--io-threads) drive N connections with a request under way on each."
            })
    private @Nullable Integer pending;

    @Option(
            names = "--get-pending",
            paramLabel = "N",
            description = "The same for gets, in place of --get-threads. Default, with --pending: 0.")
    private @Nullable Integer getPending;

    @Option(
            names = "--io-threads",
            paramLabel = "N",
            description = "Threads that drive the connections of --pending and --get-pending. Default: 1.")
    private @Nullable Integer ioThreads;

    @Option(
            names = "--put-rate",
            paramLabel = "R",
            description = {
                "Puts a second of all producers together; each is sent at its time while a producer is free "
                        + "(open loop); latency counts from that time.",
                "Default: each producer puts again as soon as it is answered (closed loop)."
            })
    private @Nullable Double putRate;

    @Option(names = "--get-rate", paramLabel = "R", description = "The same for gets.")
    private @Nullable Double getRate;

    public Traffic puts() {
        return new Traffic(clients(pending, putThreads, "", "put", DEFAULT_PUT_THREADS), putRate);
    }

    public Traffic gets() {
        return new Traffic(clients(getPending, getThreads, "get-", "get", 0), getRate);
    }

    private int clients(
            @Nullable Integer requests, @Nullable Integer threads, String prefix, String kind, int otherwise) {
        if (isAsynchronous()) {
            if (threads != null) {
                throw new LoadFailure("--%s-threads is for clients that wait; with pending requests, say --%spending"
                        .formatted(kind, prefix));
            }
            return requests == null ? 0 : requests;
        }
        return threads == null ? otherwise : threads;
    }

    private boolean isAsynchronous() {
        return pending != null || getPending != null;
    }

    /** Null if each client has a thread of its own. */
    @Nullable
    public Integer ioThreads() {
        if (isAsynchronous()) {
            return ioThreads == null ? Integer.valueOf(1) : ioThreads;
        }
        if (ioThreads != null) {
            throw new LoadFailure("--io-threads is for pending requests: say how many with --pending or --get-pending");
        }
        return null;
    }
}
