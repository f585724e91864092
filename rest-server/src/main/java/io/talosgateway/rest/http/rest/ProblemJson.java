package io.talosgateway.rest.http.rest;

import io.talosgateway.rest.errors.GatewayException;
import org.jspecify.annotations.Nullable;

/**
 * An error as {@code application/problem+json} (RFC 9457).
 *
 * @param type a URN made of the code
 * @param title a short sentence, the same for every occurrence
 * @param status the HTTP status
 * @param detail a sentence about this occurrence: the reason and the next step
 * @param code the stable code
 * @param retry whether and how the request may be repeated
 * @param requestId names the request in the logs; null for a part of one
 * @param logEndOffset where the partition ends, if a put expects another offset
 * @param fencingToken of the partition, if a request has another one
 */
record ProblemJson(
        String type,
        String title,
        int status,
        String detail,
        String code,
        String retry,
        @Nullable String requestId,
        @Nullable Long logEndOffset,
        @Nullable String fencingToken) {

    static final String CONTENT_TYPE = "application/problem+json";

    static ProblemJson of(GatewayException reason, @Nullable String requestId) {
        return of(reason.code().httpStatus(), reason, requestId);
    }

    static ProblemJson of(int status, GatewayException reason, @Nullable String requestId) {
        return new ProblemJson(
                "urn:talos-gateway:error:" + reason.code().text(),
                reason.code().title(),
                status,
                reason.detail(),
                reason.code().text(),
                reason.retry().text(),
                requestId,
                reason.logEndOffset(),
                reason.fencingToken());
    }
}
