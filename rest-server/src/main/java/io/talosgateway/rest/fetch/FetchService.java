package io.talosgateway.rest.fetch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.journal.PartitionLog;
import io.talosgateway.rest.journal.ReadResult;
import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.TaskRejectedException;

/**
 * Gets messages. The tail is answered at once, from memory; older messages are read from storage by the get pool, one
 * partition's reads one after another; a get at the end may wait. Safe for use by any thread; does not block.
 */
public final class FetchService {

    private final FetchConfig config;
    private final HostedPartitions hosting;
    private final KeyedExecutor<TopicPartition> pool;
    private final DurableWaiters waiters;
    private final Dispatch dispatch;
    private final NanoClock clock;

    /**
     * @param pool runs the storage reads of a partition one after another
     * @param answers answers gets whose wait ends; must not reject
     * @param dispatch whether every read goes through the pool, those from memory included
     */
    public FetchService(
            FetchConfig config,
            HostedPartitions hosting,
            KeyedExecutor<TopicPartition> pool,
            DeadlineTimer timer,
            Executor answers,
            Dispatch dispatch,
            NanoClock clock) {
        this.config = config;
        this.hosting = hosting;
        this.pool = pool;
        this.waiters = new DurableWaiters(timer, answers, config.maxWaiters());
        this.dispatch = dispatch;
        this.clock = clock;
    }

    /** Longest wait for messages; a get that wants to wait longer waits so long. */
    public Duration maxWait() {
        return config.maxWait();
    }

    /** Gets that wait for messages. */
    public int waiting() {
        return waiters.count();
    }

    /**
     * Gets messages from where the request begins.
     *
     * @return completed with what there is, or with a {@link GatewayException}; by the caller, the get pool, or the
     *     executor for answers
     */
    public CompletableFuture<FetchResult> fetch(FetchRequest request) {
        try {
            PartitionLog log = hosting.get(request.partition()).log();
            if (request.from() instanceof FetchFrom.Time time) {
                return onPool(
                                request.partition(),
                                Priority.of(request.importance(), Priority.Work.CATCH_UP),
                                request.deadline(),
                                () -> log.firstOffsetAtOrAfter(time.timeMs()))
                        .thenCompose(offset -> fetch(request, log, offset));
            }
            return fetch(request, log, startOffset(request.from(), log));
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static long startOffset(FetchFrom from, PartitionLog log) {
        if (from instanceof FetchFrom.Offset at) {
            return at.offset();
        }
        if (from instanceof FetchFrom.Earliest) {
            return log.logStartOffset();
        }
        long end = log.durableOffset();
        if (from instanceof FetchFrom.LastMessage) {
            return Math.max(log.logStartOffset(), end - 1);
        }
        if (from instanceof FetchFrom.Latest) {
            return end;
        }
        throw new AssertionError("times are looked up by the pool");
    }

    private CompletableFuture<FetchResult> fetch(FetchRequest request, PartitionLog log, long offset) {
        long end = log.durableOffset();
        if (offset < log.logStartOffset() || offset > end) {
            return CompletableFuture.failedFuture(outOfRange(log, offset, end));
        }
        if (offset == end && !request.maxWait().isZero()) {
            return await(request, log, offset);
        }
        return read(request, log, offset);
    }

    private static GatewayException outOfRange(PartitionLog log, long offset, long end) {
        String readable = log.logStartOffset() == end
                ? "there are no messages; the next gets offset " + end
                : "messages from " + log.logStartOffset() + " to " + (end - 1) + " can be read";
        return new GatewayException(
                ErrorCode.OFFSET_OUT_OF_RANGE, "The offset " + offset + " is out of range: " + readable + ".");
    }

    private CompletableFuture<FetchResult> read(FetchRequest request, PartitionLog log, long offset) {
        int maxMessages = Math.max(1, Math.min(request.maxMessages(), config.maxMessages()));
        int maxBytes = Math.max(1, Math.min(request.maxBytes(), config.maxSize().toBytesInt()));
        if (dispatch == Dispatch.ASYNCHRONOUS) {
            ReadResult tail = log.readTail(offset, maxMessages, maxBytes);
            if (tail != null) {
                Stages.stamp(request.stages(), Stage.READ);
                return CompletableFuture.completedFuture(result(log, offset, tail));
            }
        }
        Stages.stamp(request.stages(), Stage.QUEUED);
        return onPool(
                request.partition(),
                Priority.of(request.importance(), log.isRecent(offset) ? request.work() : Priority.Work.CATCH_UP),
                request.deadline(),
                () -> {
                    Stages.stamp(request.stages(), Stage.STARTED);
                    FetchResult result = result(log, offset, log.read(offset, maxMessages, maxBytes));
                    Stages.stamp(request.stages(), Stage.READ);
                    return result;
                });
    }

    private static FetchResult result(PartitionLog log, long offset, ReadResult read) {
        return new FetchResult(read.blocks(), offset, log.logStartOffset(), log.durableOffset());
    }

    private CompletableFuture<FetchResult> await(FetchRequest request, PartitionLog log, long offset) {
        Duration maxWait = request.maxWait().compareTo(config.maxWait()) < 0 ? request.maxWait() : config.maxWait();
        Deadline until = Deadline.after(clock, maxWait).earlier(request.deadline());
        CompletableFuture<FetchResult> answer = new CompletableFuture<>();
        waiters.await(
                log,
                offset,
                until,
                () -> read(request, log, offset).whenComplete((result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                }));
        return answer;
    }

    /**
     * Offset of the first message appended at or after a time; the log end offset if there is none.
     *
     * @param timeMs epoch milliseconds
     */
    public CompletableFuture<Long> offsetAt(TopicPartition partition, long timeMs, Deadline deadline) {
        try {
            PartitionLog log = hosting.get(partition).log();
            return onPool(partition, Priority.CATCH_UP, deadline, () -> log.firstOffsetAtOrAfter(timeMs));
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> CompletableFuture<T> onPool(
            TopicPartition partition, Priority priority, Deadline deadline, Supplier<T> read) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            pool.execute(new KeyedTask<>(partition, priority, deadline) {
                @Override
                protected void run() {
                    try {
                        answer.complete(read.get());
                    } catch (RuntimeException e) {
                        answer.completeExceptionally(e);
                    }
                }

                @Override
                protected void abandoned(Exception reason) {
                    answer.completeExceptionally(Refusals.abandoned(reason));
                }
            });
        } catch (TaskRejectedException e) {
            answer.completeExceptionally(Refusals.of(e));
        }
        return answer;
    }
}
