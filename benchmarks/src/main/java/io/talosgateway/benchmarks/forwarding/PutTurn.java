package io.talosgateway.benchmarks.forwarding;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.NewMessage;
import org.HdrHistogram.Histogram;

/** Threads that put for some time, one message at a time each, to one partition after another. */
final class PutTurn {

    private static final int SIGNIFICANT_DIGITS = 3;

    private final List<Route> routes;
    private final List<Route> disturbance;
    private final int producers;
    private final int size;
    private final int seconds;

    /** A partition and the host to which puts for it go. */
    record Route(String topic, int partition, GatewayClient host) {}

    /** @param latencies of puts that were stored, nanoseconds */
    record Result(Histogram latencies, long failures, double seconds) {

        double putsPerSecond() {
            return latencies.getTotalCount() / seconds;
        }

        double ms(double percentile) {
            return latencies.getValueAtPercentile(percentile) / 1e6;
        }

        double meanMs() {
            return latencies.getMean() / 1e6;
        }
    }

    /** @param disturbance where as many producers put whose puts do not count; empty for none */
    PutTurn(List<Route> routes, List<Route> disturbance, int producers, int size, int seconds) {
        this.routes = routes;
        this.disturbance = disturbance;
        this.producers = producers;
        this.size = size;
        this.seconds = seconds;
    }

    Result take() throws InterruptedException {
        long beganNanos = System.nanoTime();
        long endNanos = beganNanos + TimeUnit.SECONDS.toNanos(seconds);
        List<Producer> all = new ArrayList<>();
        List<Producer> disturbers = new ArrayList<>();
        for (int number = 0; number < producers; number++) {
            all.add(new Producer(number, routes, endNanos));
            if (!disturbance.isEmpty()) {
                disturbers.add(new Producer(number, disturbance, endNanos));
            }
        }
        disturbers.forEach(Thread::start);
        all.forEach(Thread::start);
        Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);
        long failures = 0;
        for (Producer producer : all) {
            producer.join();
            latencies.add(producer.latencies);
            failures += producer.failures;
        }
        double elapsed = (System.nanoTime() - beganNanos) / 1e9;
        disturbers.forEach(Thread::interrupt);
        for (Producer disturber : disturbers) {
            disturber.join();
        }
        return new Result(latencies, failures, elapsed);
    }

    private final class Producer extends Thread {

        private final int number;
        private final List<Route> targets;
        private final long endNanos;
        private final Histogram latencies = new Histogram(SIGNIFICANT_DIGITS);
        private long failures;

        Producer(int number, List<Route> targets, long endNanos) {
            super("producer-" + number);
            this.number = number;
            this.targets = targets;
            this.endNanos = endNanos;
        }

        @Override
        public void run() {
            byte[] payload = new byte[size];
            new Random(number).nextBytes(payload);
            List<NewMessage> message = List.of(NewMessage.of(payload));
            for (int put = number; System.nanoTime() - endNanos < 0; put++) {
                Route route = targets.get(put % targets.size());
                long startedNanos = System.nanoTime();
                try {
                    route.host().put(route.topic(), route.partition(), message).get();
                    latencies.recordValue(System.nanoTime() - startedNanos);
                } catch (ExecutionException e) {
                    failures++;
                } catch (InterruptedException e) {
                    return;
                }
            }
        }
    }
}
