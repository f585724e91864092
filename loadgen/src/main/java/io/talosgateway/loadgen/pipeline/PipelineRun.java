package io.talosgateway.loadgen.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import io.talosgateway.client.PartitionClient;
import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.Progress;
import io.talosgateway.loadgen.measure.SettledRate;
import org.HdrHistogram.Histogram;

/** A pipeline: a warm-up, at the end of which the queue is empty, and then what counts. {@link #run} is called once. */
final class PipelineRun {

    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long DRAIN_POLL_MS = 10;

    private final PipelinePlan plan;
    private final List<PartitionClient> partitions;
    private final Progress progress;
    private final AtomicLongArray offsets;
    private final CountDownLatch interrupted = new CountDownLatch(1);

    /** @param partitions of a topic that is empty, and where nobody else puts */
    PipelineRun(PipelinePlan plan, List<PartitionClient> partitions, Progress progress) {
        this.plan = plan;
        this.partitions = partitions;
        this.progress = progress;
        this.offsets = new AtomicLongArray(plan.partitions());
        for (int partition = 0; partition < plan.partitions(); partition++) {
            offsets.set(partition, PartitionClient.EARLIEST);
        }
    }

    /** Ends it early; any thread. */
    void interrupt() {
        interrupted.countDown();
    }

    /**
     * Runs it.
     *
     * @throws LoadFailure if the queue does not become empty after the warm-up
     */
    PipelineResult run() throws InterruptedException {
        if (plan.warmup().most().toMillis() > 0) {
            warmUp();
        }
        progress.say("The warm-up is over; now it counts");
        Flow flow = new Flow(plan.window());
        Stage stage = new Stage(plan, partitions, offsets, flow);
        Histogram puts = Flow.histogram();
        Histogram ages = Flow.histogram();
        long countsFromMs = System.currentTimeMillis();
        stage.start();
        List<PipelineSecond> seconds = watch(flow, puts, ages);
        stage.endConsumers();
        stage.endProducer();
        progress.end();
        boolean early = interrupted.getCount() == 0;
        return PipelineResult.of(plan, countsFromMs, early, flow.firstError(), seconds, puts, ages);
    }

    /** Looks at the flow once a second until the time is over. */
    private List<PipelineSecond> watch(Flow flow, Histogram puts, Histogram ages) throws InterruptedException {
        List<PipelineSecond> seconds = new ArrayList<>();
        Flow.Taken before = flow.take();
        long fromNanos = System.nanoTime();
        long takenAtNanos = fromNanos;
        long untilNanos = fromNanos + TimeUnit.MILLISECONDS.toNanos(plan.durationMs());
        boolean over = false;
        while (!over) {
            long nextNanos = Math.min(untilNanos, fromNanos + (seconds.size() + 1) * SECOND_NANOS);
            over = interrupted.await(nextNanos - System.nanoTime(), TimeUnit.NANOSECONDS) || nextNanos == untilNanos;
            long nowNanos = System.nanoTime();
            Flow.Taken now = flow.take();
            PipelineSecond second =
                    PipelineSecond.between(before, now, (nowNanos - fromNanos) / 1e9, (nowNanos - takenAtNanos) / 1e9);
            seconds.add(second);
            puts.add(now.puts());
            ages.add(now.ages());
            before = now;
            takenAtNanos = nowNanos;
            show(second);
        }
        return seconds;
    }

    private void show(PipelineSecond second) {
        progress.show("%.0f s: %s messages/s put, %s/s consumed, %s wait"
                .formatted(
                        second.atSeconds(),
                        Numbers.three(second.putPerSecond()),
                        Numbers.three(second.consumedPerSecond()),
                        Numbers.count(second.backlog())));
    }

    private void await(PipelinePlan warm, Flow flow) throws InterruptedException {
        SettledRate rate = new SettledRate();
        long untilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(warm.durationMs());
        for (long left = untilNanos - System.nanoTime(); left > 0; left = untilNanos - System.nanoTime()) {
            boolean early = interrupted.await(Math.min(left, SECOND_NANOS), TimeUnit.NANOSECONDS);
            if (early || (warm.warmup().untilSettled() && rate.second(flow.consumed()))) {
                return;
            }
        }
    }

    private void warmUp() throws InterruptedException {
        PipelinePlan warm = plan.warm();
        Flow flow = new Flow(warm.window());
        Stage stage = new Stage(warm, partitions, offsets, flow);
        stage.start();
        await(warm, flow);
        stage.endProducer();
        long untilNanos = System.nanoTime() + DRAIN_NANOS;
        while (flow.consumed() < flow.put() && System.nanoTime() - untilNanos < 0) {
            interrupted.await(DRAIN_POLL_MS, TimeUnit.MILLISECONDS);
        }
        stage.endConsumers();
        if (flow.put() == 0) {
            throw new LoadFailure("Nothing could be put: " + flow.firstError());
        }
        if (flow.consumed() < flow.put()) {
            throw new LoadFailure("%d messages of %d of the warm-up did not come out of the queue%s"
                    .formatted(
                            flow.put() - flow.consumed(),
                            flow.put(),
                            flow.firstError() == null ? "" : ": " + flow.firstError()));
        }
    }

    /** A producer and consumers at work, each on a thread of its own. For one thread. */
    private static final class Stage {

        private final Thread producer;
        private final List<Thread> consumers = new ArrayList<>();

        /**
         * They are not at work yet.
         *
         * @param offsets where to read on in each partition; kept up to date
         */
        Stage(PipelinePlan plan, List<PartitionClient> partitions, AtomicLongArray offsets, Flow flow) {
            producer = new Thread(new QueueProducer(plan, partitions, flow), "producer");
            for (int number = 0; number < plan.consumers(); number++) {
                QueueConsumer consumer = new QueueConsumer(plan, number, partitions, offsets, flow);
                consumers.add(new Thread(consumer, "consumer-" + number));
            }
        }

        void start() {
            producer.start();
            consumers.forEach(Thread::start);
        }

        /** Returns when all puts are answered. */
        void endProducer() throws InterruptedException {
            producer.interrupt();
            producer.join();
        }

        /** What they have fetched and not worked off stays in the queue. */
        void endConsumers() throws InterruptedException {
            consumers.forEach(Thread::interrupt);
            for (Thread consumer : consumers) {
                consumer.join();
            }
        }
    }
}
