package io.talosgateway.rest.metrics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.hotspot.BufferPoolsExports;
import io.prometheus.client.hotspot.ClassLoadingExports;
import io.prometheus.client.hotspot.GarbageCollectorExports;
import io.prometheus.client.hotspot.MemoryAllocationExports;
import io.prometheus.client.hotspot.MemoryPoolsExports;
import io.prometheus.client.hotspot.StandardExports;
import io.prometheus.client.hotspot.ThreadExports;
import io.prometheus.client.hotspot.VersionInfoExports;

/** What the JVM tells: processors, memory, threads, and each pause for garbage collection. Listens to the JVM until it is closed. */
public final class JvmMetrics implements AutoCloseable {

    private record Listening(NotificationEmitter to, NotificationListener listener) {}

    private final LatencyHistogram pauses;
    private final List<Listening> listening = new ArrayList<>();

    public JvmMetrics(CollectorRegistry registry) {
        new StandardExports().register(registry);
        new MemoryPoolsExports().register(registry);
        new MemoryAllocationExports().register(registry);
        new BufferPoolsExports().register(registry);
        new GarbageCollectorExports().register(registry);
        new ThreadExports().register(registry);
        new ClassLoadingExports().register(registry);
        new VersionInfoExports().register(registry);
        pauses = LatencyHistogram.register(
                registry, "talos_gc_pause_seconds", "Pauses of the process for garbage collection.", "collector");
        Gauges.gauge(
                registry,
                "talos_processors",
                "Processors that the process may use.",
                () -> Runtime.getRuntime().availableProcessors());
        AllocatedBytes allocated = AllocatedBytes.ofThisJvm();
        Gauges.counter(
                registry,
                "talos_allocated_bytes_total",
                "Bytes that threads have allocated on the heap.",
                allocated::total);
    }

    /** Begins to hear of collections. */
    public void start() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            if (collector instanceof NotificationEmitter emitter && pauses(collector.getName())) {
                LatencyHistogram.Child ofCollector = pauses.labels(collector.getName());
                NotificationListener listener = (notification, handback) -> heard(notification, ofCollector);
                emitter.addNotificationListener(listener, null, null);
                listening.add(new Listening(emitter, listener));
            }
        }
    }

    /** Whether collections of this name stop the process: some are done while it runs. */
    static boolean pauses(String collector) {
        return !collector.contains("Cycles") && !collector.contains("Concurrent");
    }

    private static void heard(Notification notification, LatencyHistogram.Child pauses) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            long ms = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo()
                    .getDuration();
            pauses.observe(TimeUnit.MILLISECONDS.toNanos(ms));
        }
    }

    @Override
    public void close() throws ListenerNotFoundException {
        for (Listening one : listening) {
            one.to.removeNotificationListener(one.listener);
        }
        listening.clear();
    }
}
