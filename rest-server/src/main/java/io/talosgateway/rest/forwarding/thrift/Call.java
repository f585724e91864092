package io.talosgateway.rest.forwarding.thrift;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hostprotocol.RemoteErrors;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ThriftEnvelope;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * A call has one of three states, and whoever moves it to DONE, alone, answers it:
 *
 *   QUEUED --claim (loop)--> SENT --answer (answers), lost (loop), deadline (timer)--> DONE
 *     |  ^------unclaim-------|
 *     +---- refuse (any), deadline (timer) ----------------------------------------> DONE
 *
 * It is claimed before the first byte goes to a socket, and unclaimed only when the socket took none. So a call that is
 * answered out of QUEUED has surely not been sent, and one that is answered out of SENT without an answer of the owner may
 * have been done.
 */
/** One request on its way to another host and back. Safe for use by any thread but for the field of the loop. */
final class Call<R> extends Timeout {

    private static final Logger log = LoggerFactory.getLogger(Call.class);

    private enum State {
        QUEUED,
        SENT,
        DONE
    }

    /** Writes the argument of the call. */
    @FunctionalInterface
    interface ArgumentWriter {
        /** @param budgetMs time that the owner has */
        void write(TProtocol out, long budgetMs) throws TException;
    }

    /**
     * What is asked.
     *
     * @param bytes that it holds while it waits
     * @param reader null if there is no result to read
     */
    record Question<R>(
            CallKind kind,
            Deadline deadline,
            long bytes,
            ArgumentWriter writer,
            ThriftEnvelope.@Nullable StructReader<R> reader,
            boolean hasIdempotencyKey) {}

    private final Question<R> question;
    private final Executor answers;
    private final CompletableFuture<R> future = new CompletableFuture<>();
    private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);
    private final Consumer<Call<?>> onExpired;
    private final Consumer<@Nullable Throwable> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** The connection that it is on; the loop's. */
    @Nullable
    HostConnection connection;

    /** When it was queued, and later when it was sent, on the clock; set before the loop sees it, then the loop's. */
    long sinceNanos;

    /**
     * @param answers completes the future; must not reject
     * @param onExpired called by the timer after the deadline, when the call is answered
     * @param onEnd called once, with the failure or null, before the future completes, so that whoever sees the answer sees
     *     what this has changed; only if the caller completes the future itself, it is called after that
     */
    Call(Question<R> question, Executor answers, Consumer<Call<?>> onExpired, Consumer<@Nullable Throwable> onEnd) {
        this.question = question;
        this.answers = answers;
        this.onExpired = onExpired;
        this.onEnd = onEnd;
        future.whenComplete((result, failure) -> end(failure));
    }

    Question<R> question() {
        return question;
    }

    CompletableFuture<R> future() {
        return future;
    }

    /** Takes it to be sent; false if it is answered already, or nobody waits for the answer any more. */
    boolean claim() {
        return !future.isDone() && state.compareAndSet(State.QUEUED, State.SENT);
    }

    /** Takes the claim back, because not one byte was sent; false if it is answered already. */
    boolean unclaim() {
        return state.compareAndSet(State.SENT, State.QUEUED);
    }

    boolean isDone() {
        return state.get() == State.DONE || future.isDone();
    }

    /** Answers a call that was not sent; does nothing if it was, or is answered already. */
    void refuse(GatewayException reason) {
        if (state.compareAndSet(State.QUEUED, State.DONE)) {
            fail(reason);
        }
    }

    /** Answers a call that was sent, and whose answer will not come. */
    void lost(String reason) {
        if (state.compareAndSet(State.SENT, State.DONE)) {
            fail(noAnswer(ErrorCode.PARTITION_NOT_SERVING, reason));
        }
    }

    @Override
    protected void deadlinePassed() {
        if (state.compareAndSet(State.QUEUED, State.DONE)) {
            fail(new GatewayException(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "The time for the request ran out before it could be handed to the host that serves the partition; "
                            + "nothing was done."));
        } else if (state.compareAndSet(State.SENT, State.DONE)) {
            fail(noAnswer(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "the host that serves the partition did not answer in the time for it"));
        } else {
            return;
        }
        onExpired.accept(this);
    }

    private GatewayException noAnswer(ErrorCode code, String reason) {
        return switch (question.kind()) {
            case PUT, CONDITIONAL_PUT -> {
                GatewayException unknown = new GatewayException(
                        ErrorCode.OUTCOME_UNKNOWN, "The messages may or may not be stored: " + reason + ".");
                yield question.hasIdempotencyKey() ? unknown.withIdempotencyKey() : unknown;
            }
            case TRIM ->
                new GatewayException(
                        code, "The messages may or may not be deleted: " + reason + ". Asking again is safe.");
            case FENCING_TOKEN ->
                new GatewayException(
                        code, "The fencing token may or may not be changed: " + reason + ". Asking again is safe.");
            case GROUP ->
                new GatewayException(
                        code,
                        "The consumer group may or may not have been changed: " + reason + ". Asking again is safe.");
            case TRANSACTION ->
                new GatewayException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "It is not certain what becomes of the transaction: " + reason + ". Asking again is safe.");
            default -> new GatewayException(code, "There is no answer: " + reason + ". Try again.");
        };
    }

    /**
     * Takes the answer; decoding it is left to the executor for answers.
     *
     * @param in positioned behind the header of the answer
     * @param exceptional whether the header says that no method took the call
     */
    void answered(TProtocol in, boolean exceptional) {
        if (state.compareAndSet(State.SENT, State.DONE)) {
            answers.execute(() -> decode(in, exceptional));
        }
    }

    private void decode(TProtocol in, boolean exceptional) {
        try {
            if (exceptional) {
                throw notTaken(TApplicationException.readFrom(in));
            }
            complete(ThriftEnvelope.readReplyBody(in, question.kind().methodName(), question.reader()));
        } catch (GatewayException e) {
            completeExceptionally(e);
        } catch (GalaxyTalosException e) {
            completeExceptionally(RemoteErrors.toGateway(e));
        } catch (TException | RuntimeException e) {
            // libthrift throws both at bytes that are not what was expected.
            log.debug("An answer of another host cannot be understood", e);
            completeExceptionally(noAnswer(
                    ErrorCode.PARTITION_NOT_SERVING,
                    "the host that serves the partition answered something that cannot be understood"));
        }
    }

    /** The owner says so before it looks at the partition: nothing was done. */
    private static GatewayException notTaken(TApplicationException reason) {
        log.debug("Another host did not understand a request", reason);
        return new GatewayException(
                ErrorCode.PARTITION_NOT_SERVING,
                "The host that serves the partition did not understand the request, perhaps because it runs another "
                        + "version; nothing was done.");
    }

    private void fail(GatewayException reason) {
        answers.execute(() -> completeExceptionally(reason));
    }

    private void complete(R result) {
        end(null);
        future.complete(result);
    }

    private void completeExceptionally(GatewayException reason) {
        end(reason);
        future.completeExceptionally(reason);
    }

    private void end(@Nullable Throwable failure) {
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(failure);
        }
    }
}
