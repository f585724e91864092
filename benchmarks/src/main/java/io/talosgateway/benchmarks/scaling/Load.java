package io.talosgateway.benchmarks.scaling;

/**
 * What a rate of messages means for a cluster: arithmetic, with what was measured of one host and the gateway's defaults.
 *
 * @param messages in a second, of the whole cluster
 * @param messageBytes size of each
 * @param messagesOfPut how many come in one put
 */
record Load(int hosts, int partitions, int lanes, double messages, int messageBytes, int messagesOfPut) {

    /** CPU of a gateway for a put of 10 KiB, forced to disk (docs/experiments/ideal.md); a smaller one takes no more. */
    private static final double PUT_MICROS = 52;
    /** Header, and that of one block: docs/journal-format.md. */
    private static final double FRAME_BYTES = 120;

    private static final double FILE_BYTES = 256 << 20;
    private static final double BLOCK_BYTES = 128 << 20;
    private static final double DAY_SECONDS = 86_400;
    private static final double REPLICATION = 3;
    private static final double FILE_AGE_SECONDS = 3600;
    /** In the footer, for each frame. */
    private static final double FOOTER_FRAME_BYTES = 5;

    private static final double FOOTER_PARTITION_BYTES = 130;
    /** A put with an idempotency key in a footer, which has so many of them at most. */
    private static final double KEYED_PUT_BYTES = 64;

    private static final double MOST_KEYED_PUTS = 1 << 16;
    /** How old they may be to be looked for, with what clocks may differ. */
    private static final double KEYED_SECONDS = 1800;
    /** Of each partition, which are remembered: {@code idempotency.max-per-partition}. */
    private static final double KEYED_PUTS_OF_PARTITION = 10_000;

    /** Memory for each partition in each file of a host's own journal, and of one that was taken over: docs/scaling-results.md. */
    private static final double OWN_EXTENT_BYTES = 405;

    private static final double TAKEN_EXTENT_BYTES = 519;

    double puts() {
        return messages / messagesOfPut;
    }

    /** Cores that are busy in each gateway. */
    double coresOfHost() {
        return puts() / hosts * PUT_MICROS / 1e6;
    }

    /** Into each gateway, and out of it to HDFS. */
    double bytesInOfHost() {
        return (messages * messageBytes + puts() * FRAME_BYTES) / hosts;
    }

    double putsOfLane() {
        return puts() / hosts / lanes;
    }

    /** On all disks. */
    double bytesOnDisks() {
        return bytesInOfHost() * hosts * REPLICATION * DAY_SECONDS;
    }

    /** Files that a host writes in a second. */
    double filesOfHost() {
        return Math.max(bytesInOfHost() / FILE_BYTES, lanes / FILE_AGE_SECONDS);
    }

    /** Of each host, after a day; messages are kept as long. */
    long journalFiles() {
        return Math.round(filesOfHost() * DAY_SECONDS);
    }

    long filesOfLane() {
        return (long) Math.ceil((double) journalFiles() / lanes);
    }

    /** That each file gets. */
    double fileBytes() {
        return Math.min(FILE_BYTES, bytesInOfHost() / filesOfHost());
    }

    private double putsOfFile() {
        return puts() / hosts / filesOfHost();
    }

    /** Whose puts with idempotency keys may be repeated. */
    long keyedFilesOfLane() {
        double seconds = Math.min(KEYED_SECONDS, KEYED_PUTS_OF_PARTITION * partitions / puts());
        return (long) Math.ceil(filesOfHost() * seconds / lanes);
    }

    double keyedBytesOfFile() {
        return KEYED_PUT_BYTES * Math.min(MOST_KEYED_PUTS, putsOfFile());
    }

    /** Files and blocks in HDFS. */
    double objects() {
        double blocks = Math.ceil(fileBytes() / BLOCK_BYTES);
        return hosts * (double) journalFiles() * (1 + blocks);
    }

    /** Calls that change something, in a second: made, a block more, closed, deleted. */
    double nameNodeWrites() {
        double blocks = BLOCK_BYTES * 2 > FILE_BYTES ? 1 : FILE_BYTES / BLOCK_BYTES;
        return hosts * filesOfHost() * (3 + blocks);
    }

    double partitionsOfFile() {
        return (double) partitions / hosts / lanes;
    }

    double footerBytes() {
        return partitionsOfFile() * FOOTER_PARTITION_BYTES + putsOfFile() * FOOTER_FRAME_BYTES;
    }

    /** Memory of each host for what is in which file of its own journal. */
    double ownIndexBytes() {
        return journalFiles() * partitionsOfFile() * OWN_EXTENT_BYTES;
    }

    /** Memory of a host for what other journals hold of partitions that it has taken over. */
    double takenIndexBytes(double taken) {
        return taken * filesOfLane() * TAKEN_EXTENT_BYTES;
    }
}
