package io.talosgateway.loadgen.http;

import java.io.IOException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * An answer that is an error.
 *
 * @param code the gateway's; empty if it says none
 * @param detail what it said; empty if it says nothing
 * @param kind what it means for the requests that follow
 */
public record Refusal(int status, String code, String detail, Meaning kind) {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int OFFSET_IS_GONE = 416;

    /** What an error says of requests like the one that failed. */
    public enum Meaning {
        /** A gateway that is busy, or that is not the owner any more, may take the next. */
        NEXT_MAY_SUCCEED,
        /** The offset of a get is not there; another may be. */
        OFFSET_IS_GONE,
        /** No request of this kind can succeed. */
        HOPELESS
    }

    /** That of an answer of the JSON interface; null if it is no error. */
    public static @Nullable Refusal ofRest(HttpAnswer answer) {
        int status = answer.status();
        if (status < 300) {
            return null;
        }
        JsonNode problem = problem(answer.errorBody());
        return new Refusal(
                status,
                problem == null ? "" : problem.path("code").asText(""),
                problem == null ? "" : problem.path("detail").asText(""),
                meaning(status));
    }

    /** What an HTTP status means. */
    public static Meaning meaning(int status) {
        if (status == OFFSET_IS_GONE) {
            return Meaning.OFFSET_IS_GONE;
        }
        return status >= 500 || status == 408 || status == 429 ? Meaning.NEXT_MAY_SUCCEED : Meaning.HOPELESS;
    }

    private static @Nullable JsonNode problem(String body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            return null;
        }
    }

    /** A sentence for the user. */
    public String sentence() {
        return "The gateway refuses: %s (%d%s)"
                .formatted(detail.isEmpty() ? "it does not say why" : detail, status, code.isEmpty() ? "" : " " + code);
    }
}
