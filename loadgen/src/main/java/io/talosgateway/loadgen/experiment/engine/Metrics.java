package io.talosgateway.loadgen.experiment.engine;

import java.util.List;

import io.talosgateway.loadgen.experiment.engine.Metric.Better;

/** What every trial is measured by; a trial has only those that its server and its load have. Stateless. */
public final class Metrics {

    public static final Metric PUTS = more("put.perSecond", "puts/s");
    public static final Metric PUT_MESSAGES = more("put.messagesPerSecond", "messages put/s");
    public static final Metric PUT_BYTES = more("put.bytesPerSecond", "bytes put/s");
    public static final Metric PUT_MEAN = less("put.meanMs", "put mean ms");
    public static final Metric PUT_P50 = less("put.p50Ms", "put P50 ms");
    public static final Metric PUT_P75 = less("put.p75Ms", "put P75 ms");
    public static final Metric PUT_P99 = less("put.p99Ms", "put P99 ms");
    public static final Metric PUT_P999 = less("put.p999Ms", "put P999 ms");
    public static final Metric PUT_MAX = less("put.maxMs", "put max ms");
    public static final Metric GETS = more("get.perSecond", "gets/s");
    public static final Metric GET_MESSAGES = more("get.messagesPerSecond", "messages got/s");
    public static final Metric GET_MEAN = less("get.meanMs", "get mean ms");
    public static final Metric GET_P50 = less("get.p50Ms", "get P50 ms");
    public static final Metric GET_P75 = less("get.p75Ms", "get P75 ms");
    public static final Metric GET_P99 = less("get.p99Ms", "get P99 ms");
    public static final Metric GET_P999 = less("get.p999Ms", "get P999 ms");
    /** Of puts and gets, those of the warm-up included. */
    public static final Metric ERRORS = less("errors", "errors");

    /** The share of the time in which the machine's processors were busy. */
    public static final Metric CPU_BUSY = neither("machine.cpuBusyPercent", "CPU busy %");
    /** CPU time for each request, put or got. */
    public static final Metric SERVER_CPU = less("server.cpuMicros", "server CPU µs/request");

    /** The same for each message, put or got. */
    public static final Metric SERVER_CPU_PER_MESSAGE = less("server.cpuMicrosPerMessage", "server CPU µs/message");

    public static final Metric HDFS_CPU = less("hdfs.cpuMicros", "HDFS CPU µs/request");
    public static final Metric LOAD_CPU = less("load.cpuMicros", "load CPU µs/request");
    public static final Metric SERVER_SWITCHES = less("server.switchesPerSecond", "server context switches/s");
    public static final Metric SERVER_SWITCHES_PER_REQUEST =
            less("server.switchesPerRequest", "context switches/request");
    public static final Metric SERVER_MEMORY = less("server.residentMiB", "server memory MiB");
    public static final Metric SERVER_THREADS = less("server.threads", "server threads");
    public static final Metric HDFS_SWITCHES = less("hdfs.switchesPerSecond", "HDFS context switches/s");
    public static final Metric HDFS_MEMORY = less("hdfs.residentMiB", "HDFS memory MiB");
    public static final Metric HDFS_THREADS = less("hdfs.threads", "HDFS threads");
    public static final Metric STORED_FILES = less("storage.files", "files");

    /** In the queue, before a worker took it; the means of the gateway's own metrics, as all that follow. */
    public static final Metric PUT_QUEUE = less("gateway.putQueueMs", "put queue wait ms");

    public static final Metric GET_QUEUE = less("gateway.getQueueMs", "get queue wait ms");
    /** From the arrival of the headers until the answer was written. */
    public static final Metric PUT_INSIDE = less("gateway.putMs", "put in the gateway ms");
    /** From handing it to its lane until it was durable. */
    public static final Metric STORAGE = less("gateway.storageMs", "storage ms");
    /** Of the time in the gateway. */
    public static final Metric STORAGE_SHARE = neither("gateway.storageSharePercent", "storage share %");

    public static final Metric LANE_WAIT = less("gateway.laneWaitMs", "wait for the lane ms");
    public static final Metric GROUP_WRITE = less("gateway.writeMs", "write ms");
    public static final Metric GROUP_SYNC = less("gateway.syncMs", "sync ms");
    public static final Metric ANSWER_WAIT = less("gateway.answerWaitMs", "wait to be answered ms");
    public static final Metric GROUP_PUTS = neither("gateway.groupPuts", "puts of a group");
    public static final Metric GC_SHARE = less("gateway.gcPercent", "GC % of the time");
    public static final Metric GC_COUNT = less("gateway.gcPerMinute", "GC runs/min");
    /** Of the gateway's GC log, as the next one. */
    public static final Metric GC_LONGEST = less("gateway.gcLongestMs", "longest GC pause ms");

    public static final Metric GC_FULL = less("gateway.gcFull", "full collections");
    public static final Metric ALLOCATED = less("gateway.allocatedMiB", "garbage MiB/s");
    public static final Metric ALLOCATED_PER_REQUEST = less("gateway.allocatedBytes", "garbage bytes/request");

    /** Of the bodies of requests, for each message that was put. */
    public static final Metric RECEIVED_BYTES_PER_MESSAGE =
            less("gateway.receivedBytesPerMessage", "body bytes received/message put");

    /** Of the bodies of answers, for each message that was put or got. */
    public static final Metric SENT_BYTES_PER_MESSAGE = less("gateway.sentBytesPerMessage", "body bytes sent/message");

    /** The measures of the published comparisons. */
    public static final List<Metric> OF_PUTS = List.of(PUTS, PUT_MEAN, PUT_P75, PUT_P99, PUT_P999);

    public static final List<Metric> OF_GETS = List.of(GETS, GET_MEAN, GET_P75, GET_P99, GET_P999);

    private Metrics() {}

    private static Metric more(String key, String title) {
        return new Metric(key, title, Better.MORE);
    }

    private static Metric less(String key, String title) {
        return new Metric(key, title, Better.LESS);
    }

    private static Metric neither(String key, String title) {
        return new Metric(key, title, Better.NEITHER);
    }
}
