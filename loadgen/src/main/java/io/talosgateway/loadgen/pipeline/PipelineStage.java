package io.talosgateway.loadgen.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

import io.talosgateway.client.PartitionClient;

/** A producer and consumers at work, each on a thread of its own. For one thread. */
final class PipelineStage {

    private final Thread producer;
    private final List<Thread> consumers = new ArrayList<>();

    /**
     * They are not at work yet.
     *
     * @param offsets where to read on in each partition; kept up to date
     */
    PipelineStage(PipelinePlan plan, List<PartitionClient> partitions, AtomicLongArray offsets, Flow flow) {
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
