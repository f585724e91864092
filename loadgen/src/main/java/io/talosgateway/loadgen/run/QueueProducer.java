package io.talosgateway.loadgen.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

import io.talosgateway.client.NewMessage;
import io.talosgateway.client.PartitionClient;
import io.talosgateway.loadgen.plan.LoadPlan;

/**
 * Puts as fast as it may until the window of the run is over: as long as there is room in the queue, and not too many puts wait
 * for their answers. Goes round the partitions.
 */
final class QueueProducer implements Runnable {

    private static final long PAUSE_NANOS = 100_000_000;

    private final LoadPlan plan;
    private final List<PartitionClient> partitions;
    private final QueueFlow flow;
    private final Window window;
    private final byte[] payload;
    private final Semaphore underWay;
    private long number;

    private volatile boolean failing;

    QueueProducer(LoadPlan plan, List<PartitionClient> partitions, QueueFlow flow, Window window) {
        this.plan = plan;
        this.partitions = partitions;
        this.flow = flow;
        this.window = window;
        this.payload =
                QueueStamp.payload(plan.content().meanSize(), plan.content().seed());
        this.underWay = new Semaphore(plan.puts().clients());
    }

    @Override
    public void run() {
        try {
            while (window.isBefore(System.nanoTime())) {
                putIfRoom(false);
            }
            boolean drained = false;
            while (!window.isOver(System.nanoTime())) {
                if (drained) {
                    putIfRoom(true);
                } else {
                    drained = flow.isDrained();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            underWay.acquireUninterruptibly(plan.puts().clients());
        }
    }

    private void putIfRoom(boolean counts) throws InterruptedException {
        if (!flow.enter(counts)) {
            return;
        }
        underWay.acquire();
        put(new QueueStamp(System.nanoTime(), counts));
        if (failing) {
            // A gateway that refuses is not hammered.
            failing = false;
            window.await(PAUSE_NANOS);
        }
    }

    private void put(QueueStamp stamp) {
        List<NewMessage> messages = new ArrayList<>(plan.content().batch());
        PartitionClient partition = partitions.get(
                (int) (number / plan.content().batch() % plan.target().partitions()));
        for (int index = 0; index < plan.content().batch(); index++) {
            messages.add(NewMessage.of(stamp.message(payload, number++)));
        }
        partition.put(messages).whenComplete((stored, failure) -> {
            if (failure == null) {
                flow.stored(stamp.counts(), System.nanoTime() - stamp.atNanos());
            } else {
                failing = true;
                flow.lost(stamp.counts(), "put: " + failure.getMessage());
            }
            underWay.release();
        });
    }
}
