package io.talosgateway.benchmarks.kafka;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

import com.sun.management.OperatingSystemMXBean;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Threads that put one message after another, each when the one before is acknowledged. {@link #run} is called once.
 *
 * <p>A put counts from the call of the producer until its answer; what was sent in the time that counts, counts.
 */
final class SynchronousPuts {

    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final long PAUSE_MS = 100;

    private final PutPlan plan;
    private final Runnable warm;
    private final Histogram latencies = new ConcurrentHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final LongAdder errors = new LongAdder();
    private final AtomicReference<@Nullable String> firstError = new AtomicReference<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final byte[] payload;

    private volatile long fromNanos = Long.MAX_VALUE;
    private volatile long untilNanos = Long.MAX_VALUE;

    /** @param warm called when the warm-up is over */
    SynchronousPuts(PutPlan plan, Runnable warm) {
        this.plan = plan;
        this.warm = warm;
        this.payload = new byte[plan.size()];
        new Random(plan.seed()).nextBytes(payload);
    }

    /** Of the puts that count, in nanoseconds; complete when {@link #run} has returned. */
    Histogram latencies() {
        return latencies;
    }

    /** Why the first put that failed did; null if none has. */
    @Nullable
    String firstError() {
        return firstError.get();
    }

    PutResult run() throws InterruptedException {
        List<Producer<byte[], byte[]>> producers = new ArrayList<>();
        try {
            int count = plan.producers() == ProducerUse.SHARED ? 1 : plan.threads();
            for (int number = 0; number < count; number++) {
                producers.add(new KafkaProducer<>(plan.producerSettings()));
            }
            return run(producers);
        } finally {
            producers.forEach(producer -> producer.close(Duration.ofSeconds(5)));
        }
    }

    private PutResult run(List<Producer<byte[], byte[]>> producers) throws InterruptedException {
        long nowNanos = System.nanoTime();
        fromNanos = nowNanos + plan.warmup().toNanos();
        untilNanos = fromNanos + plan.duration().toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < plan.threads(); number++) {
            int thread = number;
            Producer<byte[], byte[]> producer = producers.get(number % producers.size());
            threads.add(new Thread(() -> put(producer, thread), "put-" + number));
        }
        threads.forEach(Thread::start);
        sleepUntil(fromNanos);
        warm.run();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpuBeforeNanos = system.getProcessCpuTime();
        sleepUntil(untilNanos);
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        for (Thread thread : threads) {
            thread.join();
        }
        return PutResult.of(plan, latencies, errors.sum(), cpuNanos);
    }

    /** Nothing opens the latch: it is waited for in vain. */
    private void sleepUntil(long nanos) throws InterruptedException {
        over.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void put(Producer<byte[], byte[]> producer, int thread) {
        byte[] message = payload.clone();
        int partition = thread % plan.partitions();
        try {
            for (long number = 0; System.nanoTime() - untilNanos < 0; number++) {
                stamp(message, thread, number);
                put(producer, new ProducerRecord<>(plan.topic(), partition, null, message));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Every message of a run is another one. */
    private static void stamp(byte[] message, int thread, long number) {
        if (message.length >= Integer.BYTES + Long.BYTES) {
            ByteBuffer.wrap(message).putInt(thread).putLong(number);
        }
    }

    private void put(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> message)
            throws InterruptedException {
        long sentAtNanos = System.nanoTime();
        try {
            producer.send(message).get();
        } catch (ExecutionException | KafkaException e) {
            Throwable reason = e instanceof ExecutionException && e.getCause() != null ? e.getCause() : e;
            errors.increment();
            firstError.compareAndSet(null, reason.toString());
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            return;
        }
        long nanos = System.nanoTime() - sentAtNanos;
        if (sentAtNanos - fromNanos >= 0 && sentAtNanos - untilNanos < 0) {
            latencies.recordValue(Math.min(nanos, HIGHEST_NANOS));
        }
    }
}
