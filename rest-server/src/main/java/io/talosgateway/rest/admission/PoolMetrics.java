package io.talosgateway.rest.admission;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.metrics.LatencyHistogram;
import io.talosgateway.scheduler.ExecutorListener;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.TaskRejectedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the pools count and time, by pool. Safe for use by any thread. */
public final class PoolMetrics {

    private static final Logger log = LoggerFactory.getLogger(PoolMetrics.class);

    private final LatencyHistogram wait;
    private final LatencyHistogram run;
    private final Counter expired;
    private final Counter rejected;
    private final Counter chosen;
    private final Counter bypassed;
    private final Gauge queued;
    private final Gauge queuedBytes;
    private final Gauge load;
    private final Gauge running;

    public PoolMetrics(CollectorRegistry registry) {
        wait = LatencyHistogram.register(
                registry, "talos_pool_wait_seconds", "Time that a task was queued before it started.", "pool");
        run = LatencyHistogram.register(registry, "talos_pool_run_seconds", "Time that a task ran.", "pool");
        expired = Counter.build("talos_pool_expired_total", "Tasks whose deadline passed in the queue.")
                .labelNames("pool")
                .register(registry);
        rejected = Counter.build("talos_pool_rejected_total", "Tasks refused.")
                .labelNames("pool", "reason")
                .register(registry);
        chosen = Counter.build("talos_pool_tasks_total", "Tasks by the worker that they were bound to.")
                .labelNames("pool", "worker")
                .register(registry);
        bypassed = Counter.build(
                        "talos_pool_bypassed_total",
                        "How often a ready key was passed over for one of higher priority.")
                .labelNames("pool")
                .register(registry);
        queuedBytes = Gauge.build("talos_pool_queued_bytes", "Bytes that tasks in the queue hold.")
                .labelNames("pool")
                .register(registry);
        load = Gauge.build("talos_pool_worker_tasks", "Tasks that are bound to a worker, queued and running.")
                .labelNames("pool", "worker")
                .register(registry);
        queued = Gauge.build("talos_pool_queued_tasks", "Tasks in the queue.")
                .labelNames("pool")
                .register(registry);
        running = Gauge.build("talos_pool_running_tasks", "Tasks that run.")
                .labelNames("pool")
                .register(registry);
    }

    /** Hears a pool of this name with this many workers. */
    public ExecutorListener listener(String pool, int workers) {
        LatencyHistogram.Child waitOfPool = wait.labels(pool);
        LatencyHistogram.Child runOfPool = run.labels(pool);
        Counter.Child expiredOfPool = expired.labels(pool);
        Counter.Child bypassedOfPool = bypassed.labels(pool);
        Counter.Child[] chosenOfPool = new Counter.Child[workers];
        for (int worker = 0; worker < workers; worker++) {
            chosenOfPool[worker] = chosen.labels(pool, Integer.toString(worker));
        }
        Map<TaskRejectedException.Reason, Counter.Child> rejectedOfPool =
                new EnumMap<>(TaskRejectedException.Reason.class);
        for (TaskRejectedException.Reason reason : TaskRejectedException.Reason.values()) {
            rejectedOfPool.put(reason, rejected.labels(pool, reason.name().toLowerCase(Locale.ROOT)));
        }
        return new ExecutorListener() {
            @Override
            public void queued(int worker) {
                chosenOfPool[worker].inc();
            }

            @Override
            public void bypassed(int worker, int keys) {
                bypassedOfPool.inc(keys);
            }

            @Override
            public void started(int worker, long queuedNanos) {
                waitOfPool.observe(queuedNanos);
            }

            @Override
            public void finished(int worker, long runNanos) {
                runOfPool.observe(runNanos);
            }

            @Override
            public void failed(Throwable failure) {
                log.error("A task of pool {} failed", pool, failure);
            }

            @Override
            public void expired(long queuedNanos) {
                expiredOfPool.inc();
            }

            @Override
            public void rejected(TaskRejectedException.Reason reason) {
                Counter.Child ofReason = rejectedOfPool.get(reason);
                if (ofReason != null) {
                    ofReason.inc();
                }
            }
        };
    }

    /** Shows the depth of a pool with so many workers. */
    public void watch(String pool, KeyedThreadPool<?> threadPool, int workers) {
        show(queued, threadPool::queued, pool);
        show(queuedBytes, threadPool::queuedBytes, pool);
        show(running, threadPool::running, pool);
        for (int worker = 0; worker < workers; worker++) {
            int index = worker;
            show(load, () -> threadPool.load(index), pool, Integer.toString(worker));
        }
    }

    private static void show(Gauge gauge, DoubleSupplier value, String... labels) {
        gauge.setChild(Gauges.child(value), labels);
    }
}
