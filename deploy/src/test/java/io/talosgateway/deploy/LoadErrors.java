package io.talosgateway.deploy;

import com.fasterxml.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What the load generator says of errors. */
final class LoadErrors {

    private static final String LATE = "not-sent";

    private LoadErrors() {}

    /**
     * Errors of requests that were sent. On a machine that stalls, some are due and have no connection until after the end.
     *
     * @param kind the puts, or the gets, of a result
     */
    static long ofSent(JsonNode kind) {
        long all = 0;
        long late = 0;
        for (JsonNode error : kind.path("errorsByKind")) {
            all += error.path("count").asLong();
            late += error.path("code").asText().equals(LATE)
                    ? error.path("count").asLong()
                    : 0;
        }
        assertThat(all).as("%s", kind).isEqualTo(kind.path("errors").asLong(-1));
        return all - late;
    }
}
