package io.talosgateway.loadgen.pipeline;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.talosgateway.client.Fetched;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.PartitionClient;
import org.jspecify.annotations.Nullable;

/**
 * Takes the messages of its partitions, in their order, one after another: each takes a while and is acknowledged then. Asks all
 * of its partitions at once and waits for whichever has messages; of each, it has at most one answer that it has not worked off.
 * One thread runs it until it is interrupted.
 */
final class QueueConsumer implements Runnable {

    /** As many as a get brings; a consumer that takes long is not to hold more than it needs. */
    private static final GetOptions OPTIONS = new GetOptions(100, 1 << 20, Duration.ofSeconds(1));

    private static final long PAUSE_MS = 100;

    private final PipelinePlan plan;
    private final int consumer;
    private final List<PartitionClient> partitions;
    private final AtomicLongArray offsets;
    private final Flow flow;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();
    private final CountDownLatch never = new CountDownLatch(1);

    /** @param fetched null if the get failed */
    private record Answer(int partition, @Nullable Fetched fetched, String failure) {}

    /**
     * A consumer.
     *
     * @param consumer from 0
     * @param partitions all of them
     * @param offsets where to read on in each; kept up to date
     */
    QueueConsumer(
            PipelinePlan plan, int consumer, List<PartitionClient> partitions, AtomicLongArray offsets, Flow flow) {
        this.plan = plan;
        this.consumer = consumer;
        this.partitions = partitions;
        this.offsets = offsets;
        this.flow = flow;
    }

    @Override
    public void run() {
        try {
            never.await(plan.consumersAfterMs(), TimeUnit.MILLISECONDS);
            for (int partition = consumer; partition < plan.partitions(); partition += plan.consumers()) {
                ask(partition);
            }
            Pace pace = new Pace(TimeUnit.MILLISECONDS.toNanos(plan.costMs()), System.nanoTime());
            while (true) {
                Answer answer = answers.take();
                pace.idleUntil(System.nanoTime());
                work(answer, pace);
                ask(answer.partition());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(int partition) {
        partitions
                .get(partition)
                .get(offsets.get(partition), OPTIONS)
                .whenComplete((fetched, failure) -> answers.add(
                        new Answer(partition, fetched, failure == null ? "" : String.valueOf(failure.getMessage()))));
    }

    private void work(Answer answer, Pace pace) throws InterruptedException {
        Fetched fetched = answer.fetched();
        if (fetched == null) {
            flow.failed("get: " + answer.failure());
            never.await(PAUSE_MS, TimeUnit.MILLISECONDS);
            return;
        }
        for (Message message : fetched.messages()) {
            if (plan.costMs() > 0) {
                long doneAtNanos = pace.doneAtNanos(System.nanoTime());
                never.await(doneAtNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            flow.acknowledge(System.nanoTime() - PipelineStamp.atNanos(message.payload()));
            offsets.set(answer.partition(), message.offset() + 1);
        }
    }
}
