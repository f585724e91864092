package io.talosgateway.benchmarks.kafka;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import com.sun.management.OperatingSystemMXBean;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.SettledRate;
import io.talosgateway.loadgen.measure.Tally;
import io.talosgateway.loadgen.plan.Warmup;
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

    private final List<Producer<byte[], byte[]>> producers;
    private final int threads;
    private final String topic;
    private final int partitions;
    private final KindRecorder recorder = new KindRecorder();
    private final byte[] payload;

    private volatile long fromNanos = Long.MAX_VALUE;
    private volatile long untilNanos = Long.MAX_VALUE;

    /** @param cpuNanos CPU time of this process while it counted */
    record Result(Tally tally, long cpuNanos) {}

    /**
     * @param producers which the threads share in turn
     * @param partitions of the topic; thread {@code i} puts to partition {@code i mod partitions}
     * @param payload of all messages, but for a few bytes
     */
    SynchronousPuts(
            List<Producer<byte[], byte[]>> producers, int threads, String topic, int partitions, byte[] payload) {
        this.producers = producers;
        this.threads = threads;
        this.topic = topic;
        this.partitions = partitions;
        this.payload = payload;
    }

    /** @param warm called when the warm-up is over */
    Result run(Warmup warmup, Duration duration, Runnable warm) throws InterruptedException {
        long beganNanos = System.nanoTime();
        List<Thread> started = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            int thread = number;
            Producer<byte[], byte[]> producer = producers.get(number % producers.size());
            started.add(new Thread(() -> put(producer, thread), "put-" + number));
        }
        started.forEach(Thread::start);
        warmUp(warmup, beganNanos);
        long nowNanos = System.nanoTime();
        untilNanos = nowNanos + duration.toNanos();
        fromNanos = nowNanos;
        warm.run();
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpuBeforeNanos = system.getProcessCpuTime();
        sleepUntil(untilNanos);
        long cpuNanos = system.getProcessCpuTime() - cpuBeforeNanos;
        for (Thread thread : started) {
            thread.join();
        }
        return new Result(recorder.take(), cpuNanos);
    }

    private void warmUp(Warmup warmup, long beganNanos) throws InterruptedException {
        long mostNanos = beganNanos + warmup.most().toNanos();
        SettledRate rate = new SettledRate();
        boolean warmed = false;
        for (long next = beganNanos + SECOND_NANOS; !warmed && next - mostNanos < 0; next += SECOND_NANOS) {
            sleepUntil(next);
            warmed = warmup.untilSettled() && rate.second(recorder.answered());
        }
        if (!warmed) {
            sleepUntil(mostNanos);
        }
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }

    private void put(Producer<byte[], byte[]> producer, int thread) {
        byte[] message = payload.clone();
        int partition = thread % partitions;
        try {
            for (long number = 0; System.nanoTime() - untilNanos < 0; number++) {
                stamp(message, thread, number);
                put(producer, new ProducerRecord<>(topic, partition, null, message));
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
