package io.talosgateway.verifier;

import java.io.IOException;
import java.util.List;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.talosgateway.client.Messages;
import io.talosgateway.client.Partition;
import io.talosgateway.client.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What came of a get.
 *
 * @param messages null if there are none because the get failed
 * @param code {@code read}, or the code of an error, or one of {@link PutAnswer} if no answer came
 * @param detail of the error
 */
record GetAnswer(@Nullable Messages messages, String code, String detail) {

    private static final String OUT_OF_RANGE = "offset-out-of-range";
    private static final ObjectMapper MAPPER =
            new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

    static GetAnswer failed(String code, String detail) {
        return new GetAnswer(null, code, detail);
    }

    static GetAnswer of(Messages messages) {
        return new GetAnswer(messages, "read", "");
    }

    /**
     * Reads an answer.
     *
     * @param ofStatus whether it was asked for the status of the partition
     */
    static GetAnswer of(int status, byte[] body, boolean ofStatus) {
        if (status != 200) {
            Problem problem = PutAnswer.problem(body);
            return problem == null || problem.code() == null
                    ? failed(PutAnswer.MALFORMED, "HTTP status " + status)
                    : failed(problem.code(), String.valueOf(problem.detail()));
        }
        try {
            if (!ofStatus) {
                return of(MAPPER.readValue(body, Messages.class));
            }
            Partition partition = MAPPER.readValue(body, Partition.class);
            Long start = partition.logStartOffset();
            Long end = partition.logEndOffset();
            return start == null || end == null
                    ? failed("not-served", "no host serves the partition")
                    : of(new Messages("", partition.partition(), List.of(), end, start, end));
        } catch (IOException e) {
            return failed(PutAnswer.MALFORMED, String.valueOf(e.getMessage()));
        }
    }

    /** The owner that the status of a partition tells; null if it tells none. */
    static @Nullable String owner(byte[] body) {
        try {
            return MAPPER.readValue(body, Partition.class).owner();
        } catch (IOException e) {
            return null;
        }
    }

    boolean isOutOfRange() {
        return code.equals(OUT_OF_RANGE);
    }
}
