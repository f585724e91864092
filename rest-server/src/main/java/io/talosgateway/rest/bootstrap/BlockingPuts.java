package io.talosgateway.rest.bootstrap;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.partition.PartitionService;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.partition.TransactionAnswer;
import io.talosgateway.rest.partition.TransactionRequest;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.TaskRejectedException;

/** Has a put hold a worker of a pool until it is answered. For comparisons. */
record BlockingPuts(PartitionService local, KeyedExecutor<TopicPartition> pool) implements PartitionService {

    @Override
    public CompletableFuture<PutResult> put(PutRequest request) {
        CompletableFuture<PutResult> answer = new CompletableFuture<>();
        try {
            pool.execute(new Held(request, answer));
        } catch (TaskRejectedException e) {
            answer.completeExceptionally(Refusals.of(e));
        }
        return answer;
    }

    private final class Held extends KeyedTask<TopicPartition> {

        private final PutRequest request;
        private final CompletableFuture<PutResult> answer;

        Held(PutRequest request, CompletableFuture<PutResult> answer) {
            super(
                    request.partition(),
                    Priority.of(request.importance(), request.work()),
                    request.deadline(),
                    request.batch().bytes());
            this.request = request;
            this.answer = answer;
        }

        @Override
        protected void run() {
            local.put(request)
                    .whenComplete((result, failure) -> {
                        if (failure == null) {
                            answer.complete(result);
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    })
                    .exceptionally(failure -> null)
                    .join();
        }

        @Override
        protected void abandoned(Exception reason) {
            answer.completeExceptionally(Refusals.abandoned(reason));
        }
    }

    @Override
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        return local.fetch(request);
    }

    @Override
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        return local.offsetAt(partition, timeMs, deadline);
    }

    @Override
    public CompletableFuture<Void> trim(
            TopicPartition partition, long firstOffset, long lastOffset, Deadline deadline) {
        return local.trim(partition, firstOffset, lastOffset, deadline);
    }

    @Override
    public CompletableFuture<Void> changeFencingToken(FencingTokenChange change, Deadline deadline) {
        return local.changeFencingToken(change, deadline);
    }

    @Override
    public CompletableFuture<GroupAnswer> askGroup(
            TopicPartition coordinator, GroupRequest request, Deadline deadline) {
        return local.askGroup(coordinator, request, deadline);
    }

    @Override
    public CompletableFuture<TransactionAnswer> askTransaction(
            TopicPartition coordinator, TransactionRequest request, Deadline deadline) {
        return local.askTransaction(coordinator, request, deadline);
    }

    @Override
    public CompletableFuture<PartitionStatus> describe(TopicPartition partition, Deadline deadline) {
        return local.describe(partition, deadline);
    }

    @Override
    public CompletableFuture<PartitionStatuses> describe(Collection<TopicPartition> partitions, Deadline deadline) {
        return local.describe(partitions, deadline);
    }
}
