package io.talosgateway.rest.http;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.talosgateway.rest.admission.AdmissionController.Permit;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.message.BodyArrays;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.format.BlockAround;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Reads the body of a request into one buffer, by demand. The buffer grows with what has arrived, and is admitted before it
 * grows: what a client announces and does not send costs nothing. Ends with the body, a failure of the client, or when the body
 * comes too slowly.
 *
 * <p>The thread that reads the end of the body handles the request.
 */
final class BodyReader extends Timeout implements Invocable.Task {

    private static final int FIRST_BUFFER_BYTES = 64 * 1024;
    private static final byte[] NOTHING = {};

    /** Hears how the reading ended: exactly one method is called, once. */
    interface Listener {

        /** Where the body is read. There is room for a {@link BlockAround} in its array, which nobody else has. */
        void body(ByteSlice body);

        /** The client is to be told. On a Jetty thread, or of the answering executor. */
        void refused(GatewayException reason);

        /** There is nobody to be told. */
        void clientGone(Throwable cause);

        /** Reading failed of a bug, or of want of memory. */
        void failed(Throwable cause);
    }

    private final Request request;
    private final Permit permit;
    private final int maxBytes;
    private final BodyArrays arrays;
    private final DeadlineTimer timer;
    private final Executor answers;
    private final Listener listener;
    private final HttpConfig config;
    private final NanoClock clock;
    private final long startedAtNanos;
    private final long announced;
    private final Executor reading;
    private final AtomicBoolean ended = new AtomicBoolean();
    /** While somebody reads, it is this host that is slow. */
    private final ReadTurn turn = new ReadTurn();
    /** The body, with room for a block around it. */
    private byte[] buffer = NOTHING;
    /** For so many bytes of the body the buffer has room. */
    private int room;
    /** Written by the thread that reads. */
    private volatile int length;

    /** @param reading reads, one piece after another */
    BodyReader(
            Request request,
            Executor reading,
            Permit permit,
            int maxBytes,
            BodyArrays arrays,
            HttpConfig config,
            DeadlineTimer timer,
            Executor answers,
            NanoClock clock,
            Listener listener) {
        this.request = request;
        this.permit = permit;
        this.maxBytes = maxBytes;
        this.arrays = arrays;
        this.timer = timer;
        this.answers = answers;
        this.listener = listener;
        this.config = config;
        this.clock = clock;
        this.startedAtNanos = clock.nanoTime();
        this.announced = request.getLength();
        this.reading = reading;
    }

    void start() {
        run();
        // Most bodies come with their headers.
        if (!ended.get()) {
            lookAt(nextLook(startedAtNanos));
        }
    }

    private void lookAt(Deadline moment) {
        timer.schedule(this, moment);
        if (ended.get()) {
            timer.cancel(this);
        }
    }

    private Deadline nextLook(long nowNanos) {
        return later(nowNanos).earlier(lastMoment());
    }

    private static Deadline later(long nowNanos) {
        return Deadline.at(nowNanos + AnswerWriter.SLOW_CLIENT_GRACE.toNanos());
    }

    private Deadline lastMoment() {
        return Deadline.at(startedAtNanos + config.bodyTimeout().toNanos());
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
        if (turn.resume()) {
            reading.execute(this::readGuarded);
        }
    }

    private void readGuarded() {
        try {
            read();
        } catch (Throwable e) {
            end(to -> to.failed(e));
        }
    }

    private void read() {
        while (!ended.get()) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                int demand = turn.demanding();
                request.demand(this);
                turn.demanded(demand);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                end(to -> to.clientGone(chunk.getFailure()));
                return;
            }
            try {
                append(chunk);
            } catch (GatewayException e) {
                end(to -> to.refused(e));
                return;
            } finally {
                chunk.release();
            }
            if (chunk.isLast()) {
                end(to -> to.body(body()));
                return;
            }
        }
    }

    private void append(Content.Chunk chunk) {
        int more = chunk.remaining();
        if (more > room - length) {
            grow(more);
        }
        int before = length;
        chunk.get(buffer, BlockAround.ROOM_BEFORE + before, more);
        length = before + more;
    }

    private void grow(int more) {
        long needed = (long) length + more;
        // Jetty gives no more than was announced.
        long most = announced >= 0 ? announced : maxBytes;
        if (needed > most) {
            throw tooLarge(maxBytes);
        }
        int larger = (int) Math.min(most, Math.max(needed, Math.max(FIRST_BUFFER_BYTES, 4L * room)));
        permit.reserve((long) larger - room);
        byte[] grown = arrays.take(BlockAround.ROOM_BEFORE + larger + BlockAround.ROOM_BEHIND);
        System.arraycopy(buffer, 0, grown, 0, room == 0 ? 0 : BlockAround.ROOM_BEFORE + length);
        buffer = grown;
        room = larger;
    }

    private ByteSlice body() {
        return room == 0 ? ByteSlice.EMPTY : new ByteSlice(buffer, BlockAround.ROOM_BEFORE, length);
    }

    static GatewayException tooLarge(int maxBytes) {
        return new GatewayException(
                ErrorCode.REQUEST_TOO_LARGE,
                "The body of a request may have " + maxBytes + " bytes; put fewer or smaller messages at once.");
    }

    @Override
    protected void deadlinePassed() {
        long nowNanos = clock.nanoTime();
        double seconds = (nowNanos - startedAtNanos - AnswerWriter.SLOW_CLIENT_GRACE.toNanos()) / 1e9;
        boolean inTime = !lastMoment().hasPassed(nowNanos)
                && length >= seconds * config.minRate().toBytes();
        if (inTime || !turn.endWaiting()) {
            lookAt(inTime ? nextLook(nowNanos) : later(nowNanos));
            return;
        }
        answers.execute(() -> end(to -> to.refused(new GatewayException(
                ErrorCode.REQUEST_TIMEOUT, "The body of the request took too long to arrive; nothing was done."))));
    }

    private void end(Consumer<Listener> call) {
        if (ended.compareAndSet(false, true)) {
            timer.cancel(this);
            call.accept(listener);
        }
    }
}
