package io.talosgateway.loadgen.experiment.engine;

import java.util.HashMap;
import java.util.Map;

import io.talosgateway.loadgen.experiment.engine.Metric.Better;

/** What every trial is measured by; a trial has only those that its server and its load have. Stateless. */
final class Metrics {

    private static final Map<String, Metric> BY_KEY = new HashMap<>();

    static final Metric PUTS = more("put.perSecond", "puts/s");
    static final Metric PUT_MESSAGES = more("put.messagesPerSecond", "messages put/s");
    static final Metric PUT_BYTES = more("put.bytesPerSecond", "bytes put/s");
    static final Metric PUT_MEAN = less("put.meanMs", "put mean ms");
    static final Metric PUT_P50 = less("put.p50Ms", "put P50 ms");
    static final Metric PUT_P75 = less("put.p75Ms", "put P75 ms");
    static final Metric PUT_P99 = less("put.p99Ms", "put P99 ms");
    static final Metric PUT_P999 = less("put.p999Ms", "put P999 ms");
    static final Metric PUT_MAX = less("put.maxMs", "put max ms");
    static final Metric GETS = more("get.perSecond", "gets/s");
    static final Metric GET_MESSAGES = more("get.messagesPerSecond", "messages got/s");
    static final Metric GET_MEAN = less("get.meanMs", "get mean ms");
    static final Metric GET_P50 = less("get.p50Ms", "get P50 ms");
    static final Metric GET_P75 = less("get.p75Ms", "get P75 ms");
    static final Metric GET_P99 = less("get.p99Ms", "get P99 ms");
    static final Metric GET_P999 = less("get.p999Ms", "get P999 ms");
    /** Of puts and gets, those of the warm-up included. */
    static final Metric ERRORS = less("errors", "errors");

    /** The share of the time in which the machine's processors were busy. */
    static final Metric CPU_BUSY = neither("machine.cpuBusyPercent", "CPU busy %");
    /** CPU time for each request, put or got. */
    static final Metric SERVER_CPU = less("server.cpuMicros", "server CPU µs/request");

    /** The same for each message, put or got. */
    static final Metric SERVER_CPU_PER_MESSAGE = less("server.cpuMicrosPerMessage", "server CPU µs/message");

    static final Metric HDFS_CPU = less("hdfs.cpuMicros", "HDFS CPU µs/request");
    static final Metric LOAD_CPU = less("load.cpuMicros", "load CPU µs/request");
    static final Metric SERVER_SWITCHES = less("server.switchesPerSecond", "server context switches/s");
    static final Metric SERVER_SWITCHES_PER_REQUEST = less("server.switchesPerRequest", "context switches/request");
    static final Metric SERVER_MEMORY = less("server.residentMiB", "server memory MiB");
    static final Metric SERVER_THREADS = less("server.threads", "server threads");
    static final Metric HDFS_SWITCHES = less("hdfs.switchesPerSecond", "HDFS context switches/s");
    static final Metric HDFS_MEMORY = less("hdfs.residentMiB", "HDFS memory MiB");
    static final Metric HDFS_THREADS = less("hdfs.threads", "HDFS threads");
    static final Metric STORED_FILES = less("storage.files", "files");

    /** In the queue, before a worker took it; the means of the gateway's own metrics, as all that follow. */
    static final Metric PUT_QUEUE = less("gateway.putQueueMs", "put queue wait ms");

    static final Metric GET_QUEUE = less("gateway.getQueueMs", "get queue wait ms");
    /** From the arrival of the headers until the answer was written. */
    static final Metric PUT_INSIDE = less("gateway.putMs", "put in the gateway ms");
    /** From handing it to its lane until it was durable. */
    static final Metric STORAGE = less("gateway.storageMs", "storage ms");
    /** Of the time in the gateway. */
    static final Metric STORAGE_SHARE = neither("gateway.storageSharePercent", "storage share %");

    static final Metric LANE_WAIT = less("gateway.laneWaitMs", "wait for the lane ms");
    static final Metric GROUP_WRITE = less("gateway.writeMs", "write ms");
    static final Metric GROUP_SYNC = less("gateway.syncMs", "sync ms");
    static final Metric ANSWER_WAIT = less("gateway.answerWaitMs", "wait to be answered ms");
    static final Metric GROUP_PUTS = neither("gateway.groupPuts", "puts of a group");
    static final Metric GC_SHARE = less("gateway.gcPercent", "GC % of the time");
    static final Metric GC_COUNT = less("gateway.gcPerMinute", "GC runs/min");
    /** Of the gateway's GC log, as the next one. */
    static final Metric GC_LONGEST = less("gateway.gcLongestMs", "longest GC pause ms");

    static final Metric GC_FULL = less("gateway.gcFull", "full collections");
    static final Metric ALLOCATED = less("gateway.allocatedMiB", "garbage MiB/s");
    static final Metric ALLOCATED_PER_REQUEST = less("gateway.allocatedBytes", "garbage bytes/request");

    /** Of the bodies of requests, for each message that was put. */
    static final Metric RECEIVED_BYTES_PER_MESSAGE =
            less("gateway.receivedBytesPerMessage", "body bytes received/message put");

    /** Of the bodies of answers, for each message that was put or got. */
    static final Metric SENT_BYTES_PER_MESSAGE = less("gateway.sentBytesPerMessage", "body bytes sent/message");

    /** Of the heap, after the load. */
    static final Metric IDLE_HEAP = less("idle.heapBytes", "heap bytes/idle connection");

    // Of overload, and of a queue with consumers.
    static {
        less("put.refusedP999Ms", "refused after, P999 ms");
        more("consumed.perSecond", "consumed/s");
        less("age.meanMs", "age mean ms");
        less("age.p50Ms", "age P50 ms");
        less("age.p99Ms", "age P99 ms");
        less("backlog.end", "backlog at the end");
        less("backlog.peak", "longest backlog");
    }

    private Metrics() {}

    /** @throws IllegalArgumentException if there is none with that key */
    static Metric of(String key) {
        Metric metric = BY_KEY.get(key);
        if (metric == null) {
            throw new IllegalArgumentException("there is no metric '%s'".formatted(key));
        }
        return metric;
    }

    private static Metric more(String key, String title) {
        return add(new Metric(key, title, Better.MORE));
    }

    private static Metric less(String key, String title) {
        return add(new Metric(key, title, Better.LESS));
    }

    private static Metric neither(String key, String title) {
        return add(new Metric(key, title, Better.NEITHER));
    }

    private static Metric add(Metric metric) {
        BY_KEY.put(metric.key(), metric);
        return metric;
    }
}
