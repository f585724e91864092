package io.talosgateway.rest.bootstrap;

import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import io.prometheus.client.hotspot.BufferPoolsExports;
import io.prometheus.client.hotspot.ClassLoadingExports;
import io.prometheus.client.hotspot.GarbageCollectorExports;
import io.prometheus.client.hotspot.MemoryAllocationExports;
import io.prometheus.client.hotspot.MemoryPoolsExports;
import io.prometheus.client.hotspot.StandardExports;
import io.prometheus.client.hotspot.ThreadExports;
import io.prometheus.client.hotspot.VersionInfoExports;
import io.talosgateway.rest.admission.AdmissionController;
import io.talosgateway.rest.admission.PoolMetrics;
import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.coordination.zookeeper.ZooKeeperCoordination;
import io.talosgateway.rest.fetch.FetchService;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.RequestMetrics;
import io.talosgateway.rest.http.rest.MessageOperations;
import io.talosgateway.rest.http.rest.RestHandler;
import io.talosgateway.rest.http.rest.TopicOperations;
import io.talosgateway.rest.http.talos.BaseCalls;
import io.talosgateway.rest.http.talos.MessageCalls;
import io.talosgateway.rest.http.talos.TalosHandler;
import io.talosgateway.rest.http.talos.TopicCalls;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.produce.ProduceMetrics;
import io.talosgateway.rest.produce.ProduceService;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topicadmin.PartitionAdminService;
import io.talosgateway.rest.topicadmin.TopicAdminService;
import io.talosgateway.scheduler.KeyedThreadPool;
import io.talosgateway.scheduler.KeyedThreadPoolConfig;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.WheelTimer;
import org.eclipse.jetty.server.Handler;

/**
 * Calls the constructors, top to bottom: the map of the program. Starts no thread but those of the timer and the pools.
 */
final class GatewayWiring {

    final NanoClock clock = System::nanoTime;
    final InstantSource wallClock = InstantSource.system();
    final CollectorRegistry registry;

    final WheelTimer timer;
    final ExecutorService answers;
    final PoolMetrics poolMetrics;
    final KeyedThreadPool<TopicPartition> putPool;
    final KeyedThreadPool<TopicPartition> getPool;
    final KeyedThreadPool<TopicName> controlPool;
    final KeyFile keys;
    final HostedPartitions hosting;
    final AdmissionController admission;
    final FetchService fetch;
    final TalosHandler talos;
    final RestHandler rest;

    GatewayWiring(
            GatewayConfig config,
            String endpoint,
            CollectorRegistry registry,
            JournalStorage storage,
            ZooKeeperCoordination coordination) {
        this.registry = registry;
        timer = new WheelTimer("deadlines", clock).start();
        answers = answers(config.answerThreads());
        poolMetrics = new PoolMetrics(registry);
        putPool = pool(config.putPool());
        getPool = pool(config.getPool());
        controlPool = pool(config.controlPool());

        keys = new KeyFile(config.auth().keyFile(), wallClock);
        Authenticator authenticator = new Authenticator(config.auth(), keys, wallClock);
        admission = new AdmissionController(config.admission(), registry);

        hosting = new HostedPartitions(
                config.hosting(),
                endpoint,
                coordination.topics(),
                coordination.ownership(),
                coordination.hosts(),
                storage,
                answers,
                wallClock,
                new JournalMetrics(registry, clock));
        ProduceService produce = new ProduceService(
                hosting,
                putPool,
                timer,
                answers,
                config.dispatch(),
                config.hosting().journal().durability(),
                wallClock,
                clock,
                new ProduceMetrics(registry));
        fetch = new FetchService(config.fetch(), hosting, getPool, timer, answers, config.dispatch(), clock);
        TopicAdminService topics = new TopicAdminService(
                config.topics(), coordination.topics(), hosting, controlPool, new SecureRandom(), wallClock);

        PartitionAdminService partitions = new PartitionAdminService(hosting);
        HttpParts http = new HttpParts(
                config.http(),
                config.limits(),
                config.dispatch(),
                admission,
                timer,
                answers,
                clock,
                wallClock,
                new RequestMetrics(registry));
        talos = new TalosHandler(
                http,
                authenticator,
                new BaseCalls(),
                new TopicCalls(topics, partitions, http),
                new MessageCalls(topics, partitions, produce, fetch, http));
        rest = new RestHandler(
                http,
                authenticator,
                new TopicOperations(topics, partitions, http),
                new MessageOperations(topics, produce, fetch, http));

        gauge("talos_partitions_hosted", "Partitions that this host serves.", hosting::size);
        gauge("talos_recent_puts", "Puts whose repeats would be recognised.", hosting::recentPuts);
        gauge("talos_gets_waiting", "Gets that wait for messages.", fetch::waiting);
        gauge(
                "talos_zookeeper_connected",
                "1 while ZooKeeper is connected.",
                () -> coordination.hosts().isConnected() ? 1 : 0);
        exportJvm(registry);
    }

    /** What the main port serves. */
    Handler handler() {
        return new Handler.Sequence(talos, rest);
    }

    private <K> KeyedThreadPool<K> pool(KeyedThreadPoolConfig config) {
        KeyedThreadPool<K> pool = new KeyedThreadPool<>(
                config, clock, timer, answers, poolMetrics.listener(config.name(), config.workers()));
        poolMetrics.watch(config.name(), pool, config.workers());
        return pool.start();
    }

    private static ExecutorService answers(int threads) {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "answer-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    void gauge(String name, String help, DoubleSupplier value) {
        Gauge.build(name, help)
                .create()
                .setChild(new Gauge.Child() {
                    @Override
                    public double get() {
                        return value.getAsDouble();
                    }
                })
                .register(registry);
    }

    private static void exportJvm(CollectorRegistry registry) {
        new StandardExports().register(registry);
        new MemoryPoolsExports().register(registry);
        new MemoryAllocationExports().register(registry);
        new BufferPoolsExports().register(registry);
        new GarbageCollectorExports().register(registry);
        new ThreadExports().register(registry);
        new ClassLoadingExports().register(registry);
        new VersionInfoExports().register(registry);
    }
}
