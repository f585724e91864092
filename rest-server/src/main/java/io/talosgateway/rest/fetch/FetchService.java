package io.talosgateway.rest.fetch;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
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
    private final KeyedExecutor<TopicPartition> pool;
    private final DurableWaiters waiters;
    private final TailReads tailReads;
    private final NanoClock clock;

    /**
     * @param pool runs the storage reads of a partition one after another
     * @param answers answers gets whose wait ends; must not reject
     */
    public FetchService(
            FetchConfig config,
            KeyedExecutor<TopicPartition> pool,
            DeadlineTimer timer,
            Executor answers,
            TailReads tailReads,
            NanoClock clock) {
        this.config = config;
        this.pool = pool;
        this.waiters = new DurableWaiters(timer, answers, config.maxWaiters());
        this.tailReads = tailReads;
        this.clock = clock;
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
     * @throws GatewayException instead of completing with it
     */
    public CompletableFuture<FetchResult> fetch(HostedPartition hosted, FetchRequest request) {
        if (request.from() instanceof FetchFrom.Time time) {
            return onPool(
                            request.partition(),
                            Priority.of(request.importance(), Priority.Work.CATCH_UP),
                            request.deadline(),
                            () -> hosted.log().firstOffsetAtOrAfter(time.timeMs()))
                    .thenCompose(offset -> fetch(request, hosted, offset));
        }
        return fetch(request, hosted, startOffset(request.from(), hosted));
    }

    private static long startOffset(FetchFrom from, HostedPartition hosted) {
        PartitionLog log = hosted.log();
        if (from instanceof FetchFrom.Offset at) {
            return at.offset();
        }
        if (from instanceof FetchFrom.Earliest) {
            return log.logStartOffset();
        }
        hosted.requireEnd();
        long end = log.durableOffset();
        if (from instanceof FetchFrom.LastMessage) {
            return Math.max(log.logStartOffset(), end - 1);
        }
        if (from instanceof FetchFrom.Latest) {
            return end;
        }
        throw new AssertionError("times are looked up by the pool");
    }

    /** What is on disk below the end is there, whoever owns the partition by now; what this host has not may be elsewhere. */
    private CompletableFuture<FetchResult> fetch(FetchRequest request, HostedPartition hosted, long offset) {
        PartitionLog log = hosted.log();
        long end = log.durableOffset();
        if (offset < log.logStartOffset()) {
            // No start ever falls: what is gone here is gone everywhere.
            return CompletableFuture.failedFuture(outOfRange(hosted, offset, end));
        }
        if (offset >= end) {
            hosted.requireEnd();
        }
        if (offset > end) {
            return CompletableFuture.failedFuture(outOfRange(hosted, offset, end));
        }
        if (offset == end && !request.maxWait().isZero()) {
            return await(request, hosted, offset);
        }
        return read(request, hosted, offset);
    }

    private static GatewayException outOfRange(HostedPartition hosted, long offset, long end) {
        long start = hosted.log().logStartOffset();
        String readable;
        if (!hosted.knowsEnd()) {
            readable = "the first message that is kept has offset " + start + " or more";
        } else if (start == end) {
            readable = "there are no messages; the next gets offset " + end;
        } else {
            readable = "messages from " + start + " to " + (end - 1) + " can be read";
        }
        return new GatewayException(
                ErrorCode.OFFSET_OUT_OF_RANGE, "The offset " + offset + " is out of range: " + readable + ".");
    }

    private CompletableFuture<FetchResult> read(FetchRequest request, HostedPartition hosted, long offset) {
        PartitionLog log = hosted.log();
        int maxMessages = Math.max(1, Math.min(request.maxMessages(), config.maxMessages()));
        int maxBytes = Math.max(1, Math.min(request.maxBytes(), config.maxSize().toBytesInt()));
        ReadResult tail = tailReads.read(log, offset, maxMessages, maxBytes);
        if (tail != null) {
            Stages.stamp(request.stages(), Stage.READ);
            return CompletableFuture.completedFuture(result(hosted, offset, tail));
        }
        Stages.stamp(request.stages(), Stage.QUEUED);
        return onPool(
                request.partition(),
                Priority.of(request.importance(), log.isRecent(offset) ? request.work() : Priority.Work.CATCH_UP),
                request.deadline(),
                () -> {
                    Stages.stamp(request.stages(), Stage.STARTED);
                    FetchResult result = result(hosted, offset, read(hosted, offset, maxMessages, maxBytes));
                    Stages.stamp(request.stages(), Stage.READ);
                    return result;
                });
    }

    private static ReadResult read(HostedPartition hosted, long offset, int maxMessages, int maxBytes) {
        try {
            return hosted.log().read(offset, maxMessages, maxBytes);
        } catch (GatewayException e) {
            if (e.code() == ErrorCode.STORAGE_CORRUPT) {
                // Or the owner that follows has had the files deleted.
                hosted.requireEnd();
            }
            throw e;
        }
    }

    private static FetchResult result(HostedPartition hosted, long offset, ReadResult read) {
        if (read.isEmpty()) {
            hosted.requireEnd();
        } else {
            hosted.requireSettled(read.endOffset());
        }
        PartitionLog log = hosted.log();
        long end = hosted.knowsEnd() || read.isEmpty() ? log.durableOffset() : FetchResult.UNKNOWN_END;
        return new FetchResult(read.blocks(), offset, log.logStartOffset(), end, false);
    }

    private CompletableFuture<FetchResult> await(FetchRequest request, HostedPartition hosted, long offset) {
        Duration maxWait = request.maxWait().compareTo(config.maxWait()) < 0 ? request.maxWait() : config.maxWait();
        Deadline until = Deadline.after(clock, maxWait).earlier(request.deadline());
        CompletableFuture<FetchResult> answer = new CompletableFuture<>();
        Runnable stopWaiting = waiters.await(hosted, offset, until, () -> {
            try {
                readAfterWait(request, hosted, offset).whenComplete((result, failure) -> {
                    if (failure == null) {
                        answer.complete(result);
                    } else {
                        answer.completeExceptionally(failure);
                    }
                });
            } catch (Throwable e) {
                answer.completeExceptionally(e);
            }
        });
        CompletableFuture<Void> gone = request.clientGone();
        if (gone != null) {
            gone.thenRun(stopWaiting);
        }
        return answer;
    }

    private CompletableFuture<FetchResult> readAfterWait(FetchRequest request, HostedPartition hosted, long offset) {
        try {
            return read(request, hosted, offset);
        } catch (GatewayException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * Offset of the first message appended at or after a time; the log end offset if there is none.
     *
     * @param timeMs epoch milliseconds
     */
    public CompletableFuture<Long> offsetAt(HostedPartition hosted, long timeMs, Deadline deadline) {
        return onPool(hosted.partition(), Priority.CATCH_UP, deadline, () -> {
            long offset = hosted.log().firstOffsetAtOrAfter(timeMs);
            // At the end, too: there is nothing settled beyond it.
            hosted.requireSettled(offset + 1);
            return offset;
        });
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
                    } catch (Throwable e) {
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
