package io.talosgateway.loadgen.run;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.Fetched;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.PartitionClient;
import io.talosgateway.loadgen.plan.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Takes the messages of its partitions, in their order, one after another: each takes a while and is acknowledged then. Asks all
 * of its partitions at once and waits for whichever has messages; of each, it has at most one answer that it has not worked off.
 * What it has not worked off when the window of the run is over stays in the queue.
 */
final class QueueConsumer implements Runnable {

    /** As many as a get brings; a consumer that takes long is not to hold more than it needs. */
    private static final GetOptions OPTIONS = new GetOptions(100, 1 << 20, Duration.ofSeconds(1));

    private static final long PAUSE_NANOS = 100_000_000;

    private final Queue plan;
    private final int consumer;
    private final List<PartitionClient> partitions;
    private final QueueFlow flow;
    private final Window window;
    private final BlockingQueue<Answer> answers = new LinkedBlockingQueue<>();

    /**
     * What came of a get.
     *
     * @param from the offset that was asked for
     * @param fetched null if the get failed
     */
    private record Answer(
            int partition, long from, @Nullable Fetched fetched, String failure) {}

    /**
     * A consumer.
     *
     * @param consumer from 0
     * @param partitions of a topic that is empty, and where nobody else puts
     */
    QueueConsumer(Queue plan, int consumer, List<PartitionClient> partitions, QueueFlow flow, Window window) {
        this.plan = plan;
        this.consumer = consumer;
        this.partitions = partitions;
        this.flow = flow;
        this.window = window;
    }

    @Override
    public void run() {
        try {
            for (int partition = consumer; partition < partitions.size(); partition += plan.consumers()) {
                ask(partition, PartitionClient.EARLIEST);
            }
            Pace pace = new Pace(plan.cost().toNanos(), System.nanoTime());
            while (!window.isOver(System.nanoTime())) {
                Answer answer = answers.poll(PAUSE_NANOS, TimeUnit.NANOSECONDS);
                if (answer != null) {
                    pace.idleUntil(System.nanoTime());
                    ask(answer.partition, work(answer, pace));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(int partition, long from) {
        partitions
                .get(partition)
                .get(from, OPTIONS)
                .whenComplete((fetched, failure) -> answers.add(new Answer(
                        partition, from, fetched, failure == null ? "" : String.valueOf(failure.getMessage()))));
    }

    /** Returns the offset to go on with. */
    private long work(Answer answer, Pace pace) throws InterruptedException {
        Fetched fetched = answer.fetched;
        if (fetched == null) {
            flow.failed("get: " + answer.failure);
            window.await(PAUSE_NANOS);
            return answer.from;
        }
        long next = answer.from;
        for (Message message : fetched.messages()) {
            QueueStamp stamp = QueueStamp.of(message.payload());
            if (stamp.counts()) {
                await(window.fromNanos() + plan.consumersAfter().toNanos());
                await(pace.doneAtNanos(System.nanoTime()));
            }
            long nowNanos = System.nanoTime();
            if (window.isOver(nowNanos)) {
                return next;
            }
            flow.acknowledge(stamp.counts(), nowNanos - stamp.atNanos());
            next = message.offset() + 1;
        }
        return next;
    }

    /** Waits until then, or until the run is ended. */
    private void await(long untilNanos) throws InterruptedException {
        long left = untilNanos - System.nanoTime();
        if (left > 0) {
            window.await(left);
        }
    }
}
