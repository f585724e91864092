package io.talosgateway.rest.metrics;

import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

import com.sun.management.ThreadMXBean;

/**
 * What all threads have allocated. The JVM tells it of threads that live; what one allocated after it was last asked, and before it
 * ended, is not known. Safe for use by any thread.
 */
final class AllocatedBytes {

    private final ThreadMXBean threads;
    private final Map<Long, Long> ofThread = new HashMap<>();
    private long total;

    AllocatedBytes(ThreadMXBean threads) {
        this.threads = threads;
    }

    static AllocatedBytes ofThisJvm() {
        return new AllocatedBytes((ThreadMXBean) ManagementFactory.getThreadMXBean());
    }

    /** Bytes so far; never falls. */
    synchronized long total() {
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<Long, Long> now = new HashMap<>();
        for (int index = 0; index < ids.length; index++) {
            // Below 0, if the thread has just ended.
            if (bytes[index] >= 0) {
                now.put(ids[index], bytes[index]);
                total += bytes[index] - ofThread.getOrDefault(ids[index], 0L);
            }
        }
        ofThread.clear();
        ofThread.putAll(now);
        return total;
    }
}
