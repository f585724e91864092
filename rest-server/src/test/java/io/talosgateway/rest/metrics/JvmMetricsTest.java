package io.talosgateway.rest.metrics;

import java.util.Collections;
import java.util.concurrent.CountDownLatch;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.Await;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class JvmMetricsTest {

    private static volatile byte[] kept = {};

    private final CollectorRegistry registry = new CollectorRegistry();

    private double pauses() {
        return Collections.list(registry.metricFamilySamples()).stream()
                .flatMap(family -> family.samples.stream())
                .filter(sample -> sample.name.equals("talos_gc_pause_seconds_count"))
                .mapToDouble(sample -> sample.value)
                .sum();
    }

    @Test
    void pausesAreHeardUntilItIsClosed() throws Exception {
        JvmMetrics jvm = new JvmMetrics(registry);
        jvm.start();
        System.gc();
        Await.asLongAs(() -> pauses() < 1);
        jvm.close();

        assertThat(pauses()).isGreaterThanOrEqualTo(1);
    }

    @Test
    void collectionsBesideTheProgramAreNoPauses() {
        assertThat(JvmMetrics.pauses("G1 Young Generation")).isTrue();
        assertThat(JvmMetrics.pauses("ZGC Pauses")).isTrue();
        assertThat(JvmMetrics.pauses("ZGC Cycles")).isFalse();
        assertThat(JvmMetrics.pauses("G1 Concurrent GC")).isFalse();
    }

    @Test
    void whatThreadsAllocateIsCountedAndKeptWhenTheyEnd() throws Exception {
        AllocatedBytes allocated = AllocatedBytes.ofThisJvm();
        long before = allocated.total();
        CountDownLatch done = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            kept = new byte[10_000_000];
            done.countDown();
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        done.await();
        long with = allocated.total();
        mayEnd.countDown();
        thread.join();

        assertThat(with - before).isBetween(10_000_000L, 100_000_000L);
        assertThat(allocated.total()).isGreaterThanOrEqualTo(with);
        assertThat(kept).hasSize(10_000_000);
    }
}
