package io.talosgateway.rest.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;

import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Timeout;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.IteratingCallback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the body of the answer to one request, in pieces each of which the client has to take in a bounded time. One write at a
 * time, by any thread. Never blocks.
 */
final class AnswerWriter {

    /** How long a client may take for a piece of its body or answer at any rate. */
    static final Duration SLOW_CLIENT_GRACE = Duration.ofSeconds(5);

    /** Smaller answers are in the buffers of the system at once. */
    private static final int MIN_WATCHED_BYTES = 64 * 1024;

    private static final Logger log = LoggerFactory.getLogger(AnswerWriter.class);

    private final Request request;
    private final Response response;
    private final HttpParts parts;
    private final LongConsumer memory;

    /** @param memory hears how many bytes an answer takes while it is written; or gives back, if it is negative */
    AnswerWriter(Request request, Response response, HttpParts parts, LongConsumer memory) {
        this.request = request;
        this.response = response;
        this.parts = parts;
        this.memory = memory;
    }

    /**
     * Writes a whole answer.
     *
     * @param length of the body, in bytes
     * @param done called once
     */
    void writeWhole(List<ByteSlice> body, long length, Callback done) {
        if (body.size() == 1 && length <= MIN_WATCHED_BYTES) {
            ByteSlice bytes = body.get(0);
            response.write(true, ByteBuffer.wrap(bytes.array(), bytes.offset(), bytes.length()), done);
        } else {
            new Writing(body, true, length > MIN_WATCHED_BYTES, done).iterate();
        }
    }

    /**
     * Writes a part of an answer.
     *
     * @param last whether the answer ends with it
     * @param done called once
     */
    void writePart(List<ByteSlice> part, boolean last, Callback done) {
        new Writing(part, last, true, done).iterate();
    }

    /** Ends the connection of a client that takes its answer too slowly. What is being written fails. */
    void disconnect() {
        EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        log.debug("Closing {}: it takes its answer too slowly", endPoint);
        endPoint.close(new IOException("the client takes its answer too slowly"));
    }

    static long length(List<ByteSlice> body) {
        long length = 0;
        // Without the iterator, which each put would leave as garbage.
        for (int index = 0; index < body.size(); index++) {
            length += body.get(index).length();
        }
        return length;
    }

    private Duration pieceTime() {
        return SLOW_CLIENT_GRACE.plusMillis(
                1000L * AnswerPieces.MAX_PIECE_BYTES / parts.config().minRate().toBytes());
    }

    /** Writes the pieces one after another. */
    private final class Writing extends IteratingCallback {

        private final AnswerPieces pieces;
        private final boolean last;
        /** Null if the client may take as long as it likes. */
        private final @Nullable SlowReader slowReader;

        private final Callback done;
        private boolean allWritten;

        /** @param watched whether the client has to take it in a bounded time */
        Writing(List<ByteSlice> body, boolean last, boolean watched, Callback done) {
            this.pieces = new AnswerPieces(body, memory);
            this.last = last;
            this.slowReader = watched ? new SlowReader() : null;
            this.done = done;
        }

        @Override
        protected Action process() {
            pieces.written();
            if (allWritten) {
                return Action.SUCCEEDED;
            }
            ByteBuffer piece = pieces.next();
            allWritten = pieces.isAtEnd();
            if (slowReader != null) {
                slowReader.startAgain();
            }
            response.write(last && allWritten, piece, this);
            return Action.SCHEDULED;
        }

        @Override
        protected void onCompleteSuccess() {
            stopTimer();
            done.succeeded();
        }

        @Override
        protected void onCompleteFailure(Throwable cause) {
            stopTimer();
            pieces.failed();
            done.failed(cause);
        }

        private void stopTimer() {
            if (slowReader != null) {
                parts.timer().cancel(slowReader);
            }
        }
    }

    private final class SlowReader extends Timeout {

        @Override
        protected void deadlinePassed() {
            parts.answers().execute(AnswerWriter.this::disconnect);
        }

        void startAgain() {
            parts.timer().cancel(this);
            parts.timer().schedule(this, Deadline.after(parts.clock(), pieceTime()));
        }
    }
}
