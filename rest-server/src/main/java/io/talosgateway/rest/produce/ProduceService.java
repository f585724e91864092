package io.talosgateway.rest.produce;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.talosgateway.rest.admission.Refusals;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.RecentPuts;
import io.talosgateway.rest.journal.lane.Append;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.PutIdentity;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.stages.Stage;
import io.talosgateway.rest.stages.Stages;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.KeyedExecutor;
import io.talosgateway.scheduler.KeyedTask;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Priority;
import io.talosgateway.scheduler.TaskRejectedException;
import io.talosgateway.scheduler.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Puts messages: looks whether a put repeats an earlier one, hands it to the partition's log, and answers when it is
 * durable, or at its deadline. Safe for use by any thread; does not block.
 */
public final class ProduceService {

    /** What is larger takes a while to compare with earlier puts, and does not keep the caller's thread. */
    private static final int MOST_BYTES_ON_CALLER = 64 << 10;

    private final KeyedExecutor<TopicPartition> pool;
    private final DeadlineTimer timer;
    private final Executor answers;
    private final Durability defaultDurability;
    private final NanoClock clock;
    private final ProduceMetrics metrics;

    /**
     * @param pool runs the puts of a partition one after another; mostly on the thread that brings them
     * @param answers answers puts whose deadline passes; must not reject
     */
    public ProduceService(
            KeyedExecutor<TopicPartition> pool,
            DeadlineTimer timer,
            Executor answers,
            Durability defaultDurability,
            NanoClock clock,
            ProduceMetrics metrics) {
        this.pool = pool;
        this.timer = timer;
        this.answers = answers;
        this.defaultDurability = defaultDurability;
        this.clock = clock;
        this.metrics = metrics;
    }

    /**
     * Stores the messages of a put at consecutive offsets, all or none.
     *
     * @return as {@link io.talosgateway.rest.partition.PartitionService#put}; completed by the executor for completions
     */
    public CompletableFuture<PutResult> put(HostedPartition hosted, PutRequest request) {
        Stages.stamp(request.stages(), Stage.QUEUED);
        CompletableFuture<PutResult> answer = new CompletableFuture<>();
        execute(new Put(request, hosted, answer));
        return answer;
    }

    private void execute(Put put) {
        try {
            if (put.request.batch().bytes() <= MOST_BYTES_ON_CALLER) {
                pool.runOrQueue(put);
            } else {
                pool.execute(put);
            }
        } catch (TaskRejectedException e) {
            put.answer.completeExceptionally(Refusals.of(e));
        }
    }

    /** A put on its way through the pool. */
    private final class Put extends KeyedTask<TopicPartition> {

        private final PutRequest request;
        private final HostedPartition hosted;
        private final CompletableFuture<PutResult> answer;

        Put(PutRequest request, HostedPartition hosted, CompletableFuture<PutResult> answer) {
            super(
                    request.partition(),
                    Priority.of(request.importance(), request.work()),
                    request.deadline(),
                    request.batch().bytes());
            this.request = request;
            this.hosted = hosted;
            this.answer = answer;
        }

        @Override
        protected void run() {
            Stages.stamp(request.stages(), Stage.STARTED);
            try {
                IdempotencyKey key = request.idempotencyKey();
                if (key == null) {
                    append(null);
                } else {
                    recognise(PutIdentity.of(key, request.batch()));
                }
            } catch (GatewayException e) {
                answer.completeExceptionally(e);
            }
        }

        private void recognise(PutIdentity identity) {
            RecentPuts.Match match = hosted.recentPuts().find(identity.fingerprint(), identity.digest());
            CompletableFuture<AppendResult> earlier = match.outcome();
            if (earlier != null) {
                metrics.repeat();
                await(earlier, null, 0);
            } else if (match.known() == RecentPuts.Known.OTHER_MESSAGES
                    && identity.key().strict()) {
                throw new GatewayException(
                        ErrorCode.IDEMPOTENCY_KEY_REUSED,
                        "The idempotency key was used for other messages of this partition a short while ago; give every "
                                + "put a key of its own.");
            } else {
                append(identity);
            }
        }

        private void append(@Nullable PutIdentity identity) {
            Long expected = request.condition().expectedOffset();
            if (expected != null && !endsAt(expected)) {
                comeAgain();
                return;
            }
            long handedOverAtNanos = clock.nanoTime();
            Append append = handOver(identity);
            hosted.undecidedPuts().begin();
            if (identity != null) {
                hosted.recentPuts().add(identity.fingerprint(), identity.digest(), append.outcome());
            }
            await(append.outcome(), append, handedOverAtNanos);
        }

        /**
         * Hands the put to the log.
         *
         * @throws GatewayException if the partition has another fencing token, or the log takes no puts
         */
        private Append handOver(@Nullable PutIdentity identity) {
            String token = request.condition().fencingToken();
            if (token != null) {
                hosted.fencingToken().begin(token);
            }
            try {
                Durability durability = request.durability();
                return hosted.log()
                        .append(
                                request.batch(),
                                identity,
                                durability == null ? defaultDurability : durability,
                                request.deadline());
            } catch (RuntimeException e) {
                endFencing();
                throw e;
            }
        }

        private void endFencing() {
            if (request.condition().fencingToken() != null) {
                hosted.fencingToken().decided();
            }
        }

        /**
         * Whether the partition ends there, and this put is the next: those of a partition are handed over one after another, here.
         * False if that cannot be said yet.
         *
         * @throws GatewayException {@code UNEXPECTED_OFFSET} if it ends elsewhere
         */
        private boolean endsAt(long expected) {
            // Before the end is looked at: what is decided afterwards has raised it, or never will.
            boolean certain = hosted.undecidedPuts().isEmpty();
            long end = hosted.log().durableOffset();
            hosted.requireEnd();
            if (expected < end || (certain && expected != end)) {
                throw GatewayException.unexpectedOffset(expected, end);
            }
            return certain;
        }

        /** Is decided again when the outcome of a put before it is certain. */
        private void comeAgain() {
            Again again = new Again();
            timer.schedule(again, request.deadline());
            hosted.undecidedPuts().awaitNext(again);
        }

        /**
         * Answers when the outcome is certain, or at the deadline.
         *
         * @param append null if the put repeats one that was handed over before
         */
        private void await(CompletableFuture<AppendResult> outcome, @Nullable Append append, long handedOverAtNanos) {
            OutOfTime outOfTime = new OutOfTime(append);
            timer.schedule(outOfTime, request.deadline());
            outcome.whenComplete((result, failure) -> {
                try {
                    if (append != null) {
                        hosted.undecidedPuts().decided();
                        endFencing();
                    }
                    timer.cancel(outOfTime);
                    if (failure != null) {
                        fail(failure);
                    } else if (append != null || isStillThere(result)) {
                        stored(result, append, handedOverAtNanos);
                    }
                } catch (Throwable e) {
                    // Nobody else ends the request: the timer may be cancelled.
                    answer.completeExceptionally(e);
                }
            });
        }

        private void stored(AppendResult result, @Nullable Append append, long handedOverAtNanos) {
            if (append != null) {
                metrics.stored(append.durableAtNanos() - handedOverAtNanos, clock.nanoTime() - append.durableAtNanos());
                stamp(append);
            }
            answer.complete(new PutResult(
                    request.partition().partition(),
                    result.firstOffset(),
                    result.messageCount(),
                    result.appendTimestampMs(),
                    result.durability(),
                    append == null,
                    false));
        }

        /** Fails the put that repeats one whose messages may be lost, if another owner may know. */
        private boolean isStillThere(AppendResult earlier) {
            try {
                hosted.requireSettled(earlier.firstOffset() + earlier.messageCount());
                return true;
            } catch (GatewayException e) {
                fail(e);
                return false;
            }
        }

        private void stamp(Append append) {
            Stages stages = request.stages();
            if (stages != null) {
                stages.stamp(Stage.WRITING, append.writingAtNanos());
                stages.stamp(Stage.WRITTEN, append.writtenAtNanos());
                stages.stamp(Stage.SYNCED, append.durableAtNanos());
            }
        }

        private void fail(Throwable failure) {
            GatewayException reason = failure instanceof GatewayException known
                    ? known
                    : new GatewayException(ErrorCode.INTERNAL, "Storing the messages failed.", failure);
            answer.completeExceptionally(request.idempotencyKey() == null ? reason : reason.withIdempotencyKey());
        }

        @Override
        protected void abandoned(Exception reason) {
            answer.completeExceptionally(Refusals.abandoned(reason));
        }

        /** Waits for its turn again, or until the deadline passes. */
        private final class Again extends Timeout implements Runnable {

            @Override
            public void run() {
                timer.cancel(this);
                execute(new Put(request, hosted, answer));
            }

            @Override
            protected void deadlinePassed() {
                if (hosted.undecidedPuts().withdraw(this)) {
                    answers.execute(
                            () -> answer.completeExceptionally(
                                    new GatewayException(
                                            ErrorCode.DEADLINE_EXCEEDED,
                                            "The time for the request ran out before it was certain where the partition ends; nothing was stored.")));
                }
            }
        }

        /** The deadline passes after the put was handed to the log. */
        private final class OutOfTime extends Timeout {

            private final @Nullable Append append;

            OutOfTime(@Nullable Append append) {
                this.append = append;
            }

            @Override
            protected void deadlinePassed() {
                answers.execute(() -> {
                    // What can be taken back fails its outcome itself, with the certainty that nothing is stored.
                    if (append == null || !append.withdraw()) {
                        metrics.unknown();
                        fail(new GatewayException(
                                ErrorCode.OUTCOME_UNKNOWN,
                                "The time for the request ran out before the storage confirmed the messages: they may or "
                                        + "may not be stored."));
                    }
                });
            }
        }
    }
}
