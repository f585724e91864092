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

import com.sun.management.OperatingSystemMXBean;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.SettledRate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Threads that put one message after another, each when the one before is acknowledged. {@link #run} is called once.
 *
 * <p>A put counts from the call of the producer until its answer; what was sent in the time that counts, counts.
 */
final class SynchronousPuts {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_MS = 100;

    private final PutPlan plan;
    private final Runnable warm;
    private final KindRecorder recorder = new KindRecorder();
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
        long beganNanos = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < plan.threads(); number++) {
            int thread = number;
            Producer<byte[], byte[]> producer = producers.get(number % producers.size());
            threads.add(new Thread(() -> put(producer, thread), "put-" + number));
        }
        threads.forEach(Thread::start);
        warmUp(beganNanos);
        long nowNanos = System.nanoTime();
        untilNanos = nowNanos + plan.duration().toNanos();
        fromNanos = nowNanos;
        warm.run();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpuBeforeNanos = system.getProcessCpuTime();
        sleepUntil(untilNanos);
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        for (Thread thread : threads) {
            thread.join();
        }
        return PutResult.of(plan, recorder.take(), cpuNanos);
    }

    private void warmUp(long beganNanos) throws InterruptedException {
        long mostNanos = beganNanos + plan.warmup().most().toNanos();
        SettledRate rate = new SettledRate();
        boolean warmed = false;
        for (long next = beganNanos + SECOND_NANOS; !warmed && next - mostNanos < 0; next += SECOND_NANOS) {
            sleepUntil(next);
            warmed = plan.warmup().untilSettled() && rate.second(recorder.answered());
        }
        if (!warmed) {
            sleepUntil(mostNanos);
        }
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
            recorder.failed(0, reason.getClass().getSimpleName(), String.valueOf(reason.getMessage()));
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            return;
        }
        boolean counts = sentAtNanos - fromNanos >= 0 && sentAtNanos - untilNanos < 0;
        recorder.answered(counts, System.nanoTime() - sentAtNanos, 1, message.value().length);
    }
}
