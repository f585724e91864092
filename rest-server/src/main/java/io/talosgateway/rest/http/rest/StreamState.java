package io.talosgateway.rest.http.rest;

import java.time.Duration;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.rest.GetAnswers.Events;
import org.jspecify.annotations.Nullable;

/**
 * What a stream does next. One get or one write is under way at most, so that a client that does not read is given no more
 * than one answer to keep. Times are nanoseconds of a monotonic clock. For one thread at a time.
 */
final class StreamState {

    /** What to do. Nothing is done twice: {@link #next} counts what it says as begun. */
    enum Action {
        /** Something is under way, or nothing is to be done any more. */
        WAIT,
        /** Get the messages from {@link #offset} on. */
        FETCH,
        /** Come again at {@link #fetchAtNanos}. */
        DELAY,
        /** Write {@link #takeEvents}. */
        WRITE,
        /** Write a comment. */
        HEARTBEAT,
        /** Write the failure, if there is one, and end the answer. */
        END,
        /** Close the connection: a write is under way that the client does not take. */
        DISCONNECT,
        /** There is nobody to write to. */
        ABORT
    }

    private final long heartbeatNanos;
    private final long minPauseNanos;

    private long offset;
    private boolean fetching;
    private long fetchStartedAtNanos;
    private long fetchAtNanos;
    private boolean writing;
    private long writtenAtNanos;
    private @Nullable Events events;
    private @Nullable GatewayException failure;
    private boolean closing;
    private boolean gone;
    private boolean disconnected;
    private boolean ended;

    /**
     * @param offset of the first message
     * @param heartbeat how long the stream is silent
     * @param minPause time from a get that found nothing to the next; less if it has waited
     */
    StreamState(long offset, Duration heartbeat, Duration minPause, long nowNanos) {
        this.offset = offset;
        this.heartbeatNanos = heartbeat.toNanos();
        this.minPauseNanos = minPause.toNanos();
        this.fetchAtNanos = nowNanos;
        this.writtenAtNanos = nowNanos;
    }

    /** The first write, which is none of messages. */
    void beginWriting() {
        writing = true;
    }

    Action next(long nowNanos) {
        if (ended) {
            return Action.WAIT;
        }
        if (writing) {
            if (gone && !disconnected) {
                disconnected = true;
                return Action.DISCONNECT;
            }
            return Action.WAIT;
        }
        if (gone) {
            ended = true;
            return Action.ABORT;
        }
        if (events != null) {
            writing = true;
            return Action.WRITE;
        }
        if (failure != null || closing) {
            ended = true;
            return Action.END;
        }
        if (fetching) {
            return Action.WAIT;
        }
        if (nowNanos - writtenAtNanos >= heartbeatNanos) {
            writing = true;
            return Action.HEARTBEAT;
        }
        if (nowNanos - fetchAtNanos < 0) {
            return Action.DELAY;
        }
        fetching = true;
        fetchStartedAtNanos = nowNanos;
        return Action.FETCH;
    }

    long offset() {
        return offset;
    }

    long fetchAtNanos() {
        return fetchAtNanos;
    }

    void fetched(Events got) {
        fetching = false;
        offset = got.nextOffset();
        if (got.count() > 0) {
            events = got;
        } else {
            fetchAtNanos = fetchStartedAtNanos + minPauseNanos;
        }
    }

    /** A get has failed, or the caller may not go on. */
    void failed(GatewayException reason) {
        fetching = false;
        failure = reason;
    }

    @Nullable
    GatewayException failure() {
        return failure;
    }

    /** What is to be written; it is not kept any longer than the write. */
    @Nullable
    Events takeEvents() {
        Events taken = events;
        events = null;
        return taken;
    }

    /** A write is done. */
    void written(long nowNanos) {
        writing = false;
        writtenAtNanos = nowNanos;
    }

    /** A write has failed: nothing can be written any more. */
    void writeFailed() {
        writing = false;
        gone = true;
    }

    /** The client has gone. */
    void gone() {
        gone = true;
    }

    /** Nothing more is done. */
    void end() {
        ended = true;
    }

    /** The host shuts down: what has been got is still written. */
    void close() {
        closing = true;
    }
}
