package io.talosgateway.loadgen.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.NewMessage;
import io.talosgateway.client.PartitionClient;

/**
 * Puts as fast as it may: as long as the window has room, and not too many puts wait for their answers. Goes round the partitions.
 * One thread runs it until it is interrupted.
 */
final class QueueProducer implements Runnable {

    private static final long PAUSE_MS = 100;

    private final PipelinePlan plan;
    private final List<PartitionClient> partitions;
    private final Flow flow;
    private final PipelineStamp stamp;
    private final Semaphore underWay;
    private final CountDownLatch never = new CountDownLatch(1);

    private volatile boolean failing;

    QueueProducer(PipelinePlan plan, List<PartitionClient> partitions, Flow flow) {
        this.plan = plan;
        this.partitions = partitions;
        this.flow = flow;
        this.stamp = new PipelineStamp(plan.size(), plan.seed());
        this.underWay = new Semaphore(plan.putsUnderWay());
    }

    @Override
    public void run() {
        try {
            for (long number = 0; ; number++) {
                flow.enter(plan.batch());
                underWay.acquire();
                put(number);
                if (failing) {
                    // A gateway that refuses is not hammered.
                    failing = false;
                    never.await(PAUSE_MS, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            underWay.acquireUninterruptibly(plan.putsUnderWay());
        }
    }

    private void put(long number) {
        long atNanos = System.nanoTime();
        List<NewMessage> messages = new ArrayList<>(plan.batch());
        for (int index = 0; index < plan.batch(); index++) {
            messages.add(NewMessage.of(stamp.message(atNanos, number * plan.batch() + index)));
        }
        partitions.get((int) (number % plan.partitions())).put(messages).whenComplete((stored, failure) -> {
            if (failure == null) {
                flow.stored(plan.batch(), System.nanoTime() - atNanos);
            } else {
                failing = true;
                flow.lost(plan.batch(), "put: " + failure.getMessage());
            }
            underWay.release();
        });
    }
}
