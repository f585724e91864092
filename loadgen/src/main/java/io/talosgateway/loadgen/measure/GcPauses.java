package io.talosgateway.loadgen.measure;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

import com.sun.management.GarbageCollectionNotificationInfo;
import org.jspecify.annotations.Nullable;

/** Notes the garbage collections of this process from its making until it is closed. Safe for use by any thread. */
public final class GcPauses implements AutoCloseable {

    /** @param startMs since the start of the JVM */
    private record Noted(long startMs, long ms, String collector, String cause) {}

    private final Queue<Noted> noted = new ConcurrentLinkedQueue<>();
    private final NotificationListener listener = this::note;
    private final List<NotificationEmitter> emitters = new ArrayList<>();

    public GcPauses() {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            // What goes on beside the program is no pause.
            boolean pauses = !collector.getName().contains("Concurrent")
                    && !collector.getName().contains("Cycles");
            if (pauses && collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
                emitters.add(emitter);
            }
        }
    }

    private void note(Notification notification, @Nullable Object handback) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            GarbageCollectionNotificationInfo info =
                    GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData());
            noted.add(new Noted(
                    info.getGcInfo().getStartTime(),
                    info.getGcInfo().getDuration(),
                    info.getGcName(),
                    info.getGcCause()));
        }
    }

    /**
     * Those since an instant of {@link System#nanoTime}.
     *
     * @return in their order
     */
    public List<GcPause> since(long fromNanos) {
        long uptimeMs = ManagementFactory.getRuntimeMXBean().getUptime();
        double fromMs = uptimeMs - (System.nanoTime() - fromNanos) / 1e6;
        return noted.stream()
                .filter(pause -> pause.startMs >= fromMs)
                .map(pause -> new GcPause(
                        Millis.rounded((pause.startMs - fromMs) / 1000), pause.ms, pause.collector, pause.cause))
                .toList();
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
