package io.talosgateway.rest.http.rest;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.rest.GetAnswers.Events;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.io.EofException;
import org.jspecify.annotations.Nullable;

/**
 * One stream of events: gets and writes in turn, as {@link StreamState} says. Holds no thread while it waits for messages or
 * for its client. Safe for use by any thread.
 */
final class EventStream {

    private static final ByteSlice HEARTBEAT = ByteSlice.utf8(":\n\n");

    private final Exchange exchange;
    private final HttpParts parts;
    private final StreamState state;
    private final Get get;
    /** Of the newest get. Each has one of its own: one for all would remember every get of a stream that lives for weeks. */
    private CompletableFuture<Void> stop = new CompletableFuture<>();

    private final StreamSteps steps = new StreamSteps();
    private final Timeout pause = new Timeout() {
        @Override
        protected void deadlinePassed() {
            parts.answers().execute(() -> step(() -> {}));
        }
    };

    /** Gets the events from an offset on. */
    @FunctionalInterface
    interface Get {

        /**
         * @param stop completed when nobody waits for them any more
         * @throws io.talosgateway.rest.errors.GatewayException if the caller may not
         */
        CompletableFuture<Events> from(long offset, CompletableFuture<Void> stop);
    }

    EventStream(Exchange exchange, HttpParts parts, StreamState state, Get get) {
        this.exchange = exchange;
        this.parts = parts;
        this.state = state;
        this.get = get;
        // Before anybody else knows the stream: what comes meanwhile waits until it has begun.
        state.beginWriting();
    }

    /** To be called once. Begins with what clients remember until the first event: where it is, and when to come again. */
    void begin(long retryMs) {
        String preamble = "retry: %d\nid: %d\n\n".formatted(retryMs, state.offset() - 1);
        write(List.of(new ByteSlice(preamble.getBytes(StandardCharsets.UTF_8))));
    }

    /** Ends the stream: the host shuts down. */
    void close() {
        step(() -> {
            state.close();
            stop.complete(null);
        });
    }

    void clientGone() {
        step(() -> {
            state.gone();
            stop.complete(null);
        });
    }

    /** The request has ended, however that was. */
    void ended() {
        step(() -> {
            state.end();
            parts.timer().cancel(pause);
            stop.complete(null);
        });
    }

    private void step(Runnable event) {
        steps.run(() -> {
            try {
                event.run();
                act();
            } catch (Throwable e) {
                state.end();
                parts.failures().log(exchange, e);
                exchange.abortStream(e);
            }
        });
    }

    private void act() {
        long nowNanos = parts.clock().nanoTime();
        switch (state.next(nowNanos)) {
            case WAIT -> {}
            case FETCH -> fetch();
            case DELAY -> {
                parts.timer().cancel(pause);
                parts.timer().schedule(pause, Deadline.at(state.fetchAtNanos()));
            }
            case WRITE -> {
                Events events = state.takeEvents();
                write(events == null ? List.of() : events.bytes());
            }
            case HEARTBEAT -> write(List.of(HEARTBEAT));
            case END -> end();
            case DISCONNECT -> exchange.disconnect();
            case ABORT -> {
                parts.timer().cancel(pause);
                exchange.abortStream(new EofException("the client has gone"));
            }
        }
    }

    private void fetch() {
        CompletableFuture<Events> got;
        try {
            stop = new CompletableFuture<>();
            got = get.from(state.offset(), stop);
        } catch (GatewayException e) {
            got = CompletableFuture.failedFuture(e);
        }
        got.whenComplete((events, failure) -> step(() -> {
            if (failure == null) {
                state.fetched(events);
            } else {
                state.failed(reason(failure));
            }
        }));
    }

    private GatewayException reason(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof GatewayException known) {
            return known;
        }
        parts.failures().log(exchange, cause);
        return new GatewayException(ErrorCode.INTERNAL, "The gateway made a mistake.", cause);
    }

    private void write(List<ByteSlice> bytes) {
        exchange.writePart(
                bytes,
                failure -> step(() -> {
                    exchange.giveBackReserved();
                    if (failure == null) {
                        state.written(parts.clock().nanoTime());
                    } else {
                        state.writeFailed();
                    }
                }));
    }

    /** An event of another name, so that nobody takes it for a message. */
    private void end() {
        parts.timer().cancel(pause);
        @Nullable GatewayException failure = state.failure();
        if (failure == null) {
            exchange.endStream(List.of(), Answer.OK);
            return;
        }
        Json.Chunks event = new Json.Chunks();
        event.write("event: problem\ndata: ");
        Json.write(event, ProblemJson.of(failure, exchange.requestId()));
        event.write("\n\n");
        exchange.endStream(event.slices(), failure.code().text());
    }
}
