package io.talosgateway.rest.http;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.DeadlineTimer;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.scheduler.Timeout;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable;

/**
 * Ends a request whose answer is written. If that was a refusal before the body was read, what the client still sends is
 * read and dropped first, up to a bound: to close a connection with unread bytes resets it, and the answer may be lost with
 * it (RFC 9112, section 9.6). Any thread; does not block.
 */
final class DrainingCallback extends Timeout implements Callback, Invocable.Task {

    private static final long MAX_BYTES = 4 << 20;
    private static final Duration MAX_TIME = Duration.ofSeconds(2);
    private static final Duration UNTIL_NEXT_TRY = Duration.ofMillis(20);

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final DeadlineTimer timer;
    private final Executor answers;
    private final NanoClock clock;
    private final AtomicBoolean completed = new AtomicBoolean();
    private final ReadTurn turn = new ReadTurn();
    private volatile boolean bodyRead;
    private volatile boolean outOfTime;
    private long drained;

    DrainingCallback(
            Request request,
            Response response,
            Callback callback,
            DeadlineTimer timer,
            Executor answers,
            NanoClock clock) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.timer = timer;
        this.answers = answers;
        this.clock = clock;
    }

    /** There is nothing more to read. */
    void bodyRead() {
        bodyRead = true;
    }

    @Override
    public void succeeded() {
        try {
            drain();
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void drain() {
        // Who waits to be told to go on sends nothing; who was too slow has had the time.
        boolean nothingComes = bodyRead
                || request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())
                || response.getStatus() == HttpStatus.REQUEST_TIMEOUT_408;
        if (nothingComes) {
            complete();
            return;
        }
        timer.schedule(this, Deadline.after(clock, MAX_TIME));
        read();
    }

    @Override
    public void failed(Throwable cause) {
        if (completed.compareAndSet(false, true)) {
            timer.cancel(this);
            callback.failed(cause);
        }
    }

    @Override
    public void run() {
        if (!turn.resume()) {
            return;
        }
        try {
            read();
        } catch (Throwable e) {
            failed(e);
        }
    }

    private void read() {
        while (!completed.get()) {
            if (outOfTime) {
                complete();
                return;
            }
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                int demand = turn.demanding();
                request.demand(this);
                turn.demanded(demand);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                complete();
                return;
            }
            drained += chunk.remaining();
            boolean last = chunk.isLast();
            chunk.release();
            if (last || drained > MAX_BYTES) {
                complete();
            }
        }
    }

    @Override
    protected void deadlinePassed() {
        // Whoever reads ends it.
        outOfTime = true;
        if (turn.endWaiting()) {
            answers.execute(this::complete);
            return;
        }
        timer.schedule(this, Deadline.after(clock, UNTIL_NEXT_TRY));
        if (completed.get()) {
            timer.cancel(this);
        }
    }

    private void complete() {
        if (completed.compareAndSet(false, true)) {
            timer.cancel(this);
            callback.succeeded();
        }
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }
}
