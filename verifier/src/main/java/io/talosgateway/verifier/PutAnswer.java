package io.talosgateway.verifier;

import java.io.IOException;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.client.Problem;
import io.talosgateway.client.Retry;
import io.talosgateway.client.Stored;
import org.jspecify.annotations.Nullable;

/**
 * What became of an attempt to put.
 *
 * @param code {@code stored/} and the durability, or the code of the gateway's error, or one of ours if no answer came
 * @param firstOffset -1 if they are not stored
 * @param repeat whether they were stored by an earlier attempt
 * @param mayTryAgain whether the gateway says that the same request may succeed later
 * @param retryAfterSeconds how long to wait before that; -1 if the gateway does not say
 */
record PutAnswer(
        Outcome outcome, String code, long firstOffset, boolean repeat, boolean mayTryAgain, long retryAfterSeconds) {

    /** The gateway took no connection: the request was not sent. */
    static final String NOT_CONNECTED = "not-connected";
    /** The gateway had not answered in time, nor some time later. */
    static final String NO_ANSWER = "no-answer";
    /** The connection broke before there was an answer. */
    static final String CONNECTION_BROKEN = "connection-broken";
    /** The answer is not one to this request. */
    static final String MALFORMED = "malformed-answer";

    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    static PutAnswer stored(String durability, long firstOffset, boolean repeat) {
        return new PutAnswer(Outcome.STORED, "stored/" + durability, firstOffset, repeat, false, -1);
    }

    /** No answer came. A gateway that takes no connection has not stored anything. */
    static PutAnswer failed(String code) {
        return none(code.equals(NOT_CONNECTED) ? Outcome.NOT_STORED : Outcome.UNKNOWN, code);
    }

    static PutAnswer none(Outcome outcome, String code) {
        return new PutAnswer(outcome, code, -1, false, true, -1);
    }

    /**
     * Reads an answer.
     *
     * @param partition where the put went to
     * @param count its messages
     */
    static PutAnswer of(int status, byte[] body, long retryAfterSeconds, int partition, int count) {
        return status == 200 ? ofStored(body, partition, count) : ofProblem(body, retryAfterSeconds);
    }

    private static PutAnswer ofStored(byte[] body, int partition, int count) {
        try {
            Stored stored = MAPPER.readValue(body, Stored.class);
            if (stored.partition() == partition && stored.count() == count && stored.firstOffset() >= 0) {
                return stored(String.valueOf(stored.durability()), stored.firstOffset(), stored.repeat());
            }
        } catch (IOException e) {
            // Said below.
        }
        return none(Outcome.UNKNOWN, MALFORMED);
    }

    private static PutAnswer ofProblem(byte[] body, long retryAfterSeconds) {
        Problem problem = problem(body);
        if (problem == null || problem.code() == null || problem.retry() == null) {
            return none(Outcome.UNKNOWN, MALFORMED);
        }
        Outcome outcome = problem.retry() == Retry.NEVER || problem.retry() == Retry.AFTER_BACKOFF
                ? Outcome.NOT_STORED
                : Outcome.UNKNOWN;
        boolean mayTryAgain = problem.retry() != Retry.NEVER;
        return new PutAnswer(outcome, problem.code(), -1, false, mayTryAgain, retryAfterSeconds);
    }

    /** The problem that an answer holds; null if it holds none. */
    static @Nullable Problem problem(byte[] body) {
        try {
            return MAPPER.readValue(body, Problem.class);
        } catch (IOException e) {
            return null;
        }
    }
}
