package io.talosgateway.rest.hostprotocol;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.thrift.GalaxyTalosException;

/**
 * Errors between hosts: {@code errMsg} is the code and the class of repeat, such as {@code outcome-unknown same-key}, and the end or
 * the fencing token of the partition where that is the reason;
 * {@code details} is the sentence for the user. Stateless.
 */
public final class RemoteErrors {

    private static final Map<String, ErrorCode> BY_TEXT = Arrays.stream(ErrorCode.values())
            .collect(Collectors.toUnmodifiableMap(ErrorCode::text, Function.identity()));

    private RemoteErrors() {}

    public static GalaxyTalosException toThrift(GatewayException reason) {
        return new GalaxyTalosException()
                .setErrorCode(io.talosgateway.thrift.ErrorCode.findByValue(
                        reason.code().talosCode()))
                .setErrMsg(message(reason))
                .setDetails(reason.detail());
    }

    private static String message(GatewayException reason) {
        Object more = reason.code() == ErrorCode.FENCED ? reason.fencingToken() : reason.logEndOffset();
        return reason.code().text() + " " + reason.retry().text() + (more == null ? "" : " " + more);
    }

    /** The error as it was; one that this version does not know, from a newer host, as one that says the same of repeats. */
    public static GatewayException toGateway(GalaxyTalosException exception) {
        String message = String.valueOf(exception.getErrMsg());
        int space = message.indexOf(' ');
        String codeText = space < 0 ? message : message.substring(0, space);
        String rest = message.substring(space + 1);
        int second = rest.indexOf(' ');
        String retryText = second < 0 ? rest : rest.substring(0, second);
        String detail = exception.getDetails();
        ErrorCode code = BY_TEXT.getOrDefault(codeText, substitute(retryText));
        String more = second < 0 ? null : rest.substring(second + 1);
        GatewayException error = new GatewayException(code, detail == null ? code.title() : detail);
        if (more != null && code == ErrorCode.FENCED) {
            error = error.withFencingToken(more);
        } else if (more != null && code == ErrorCode.UNEXPECTED_OFFSET) {
            error = error.withLogEndOffset(Long.parseLong(more));
        }
        return retryText.equals(RetryAdvice.SAME_KEY.text()) ? error.withIdempotencyKey() : error;
    }

    private static ErrorCode substitute(String retryText) {
        if (retryText.equals(RetryAdvice.AFTER_BACKOFF.text())) {
            return ErrorCode.PARTITION_NOT_SERVING;
        }
        return retryText.equals(RetryAdvice.NEVER.text()) ? ErrorCode.INTERNAL : ErrorCode.OUTCOME_UNKNOWN;
    }
}
