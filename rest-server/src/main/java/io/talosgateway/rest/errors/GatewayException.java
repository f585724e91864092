package io.talosgateway.rest.errors;

import java.util.Optional;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * A request fails in a way that the client is told. The message is a sentence for the user: the reason and, where there
 * is one, the next step. Has no stack trace unless the fault is ours: it is thrown in numbers, and its place is no news.
 */
public final class GatewayException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    /** Details quote what clients have sent, which may be megabytes, and not once only. */
    private static final int MAX_DETAIL = 600;

    private final ErrorCode code;
    private final RetryAdvice retry;
    private final @Nullable Long logEndOffset;

    public GatewayException(ErrorCode code, String detail) {
        this(code, code.retry(), detail, null, null);
    }

    public GatewayException(ErrorCode code, String detail, @Nullable Throwable cause) {
        this(code, code.retry(), detail, cause, null);
    }

    private GatewayException(
            ErrorCode code, RetryAdvice retry, String detail, @Nullable Throwable cause, @Nullable Long logEndOffset) {
        super(shortened(detail), cause, false, code.fault() == Fault.INTERNAL);
        this.code = code;
        this.retry = retry;
        this.logEndOffset = logEndOffset;
    }

    /**
     * A put expects an offset that it cannot get.
     *
     * @param logEndOffset the offset that it would have got
     */
    public static GatewayException unexpectedOffset(long expected, long logEndOffset) {
        return new GatewayException(
                ErrorCode.UNEXPECTED_OFFSET,
                ErrorCode.UNEXPECTED_OFFSET.retry(),
                "The put expects the offset %d, and the next message gets the offset %d; nothing was stored. Read what is there first."
                        .formatted(expected, logEndOffset),
                null,
                logEndOffset);
    }

    private static String shortened(String detail) {
        return detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL) + " ...";
    }

    /** For what a value refused with a sentence for the user. */
    public static GatewayException because(ErrorCode code, IllegalArgumentException refusal) {
        String message = refusal.getMessage();
        return new GatewayException(code, message == null ? code.title() : message);
    }

    /** The reason of a failed future; empty if it is not ours. */
    public static Optional<GatewayException> in(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return cause instanceof GatewayException reason ? Optional.of(reason) : Optional.empty();
    }

    /** The same failure where repeating is safe because the request has an idempotency key. */
    public GatewayException withIdempotencyKey() {
        return retry == RetryAdvice.OUTCOME_UNKNOWN
                ? new GatewayException(code, RetryAdvice.SAME_KEY, detail(), getCause(), logEndOffset)
                : this;
    }

    public ErrorCode code() {
        return code;
    }

    public RetryAdvice retry() {
        return retry;
    }

    /** The same, as another host has told it. */
    public GatewayException withLogEndOffset(long end) {
        return new GatewayException(code, retry, detail(), getCause(), end);
    }

    /** Where the partition ends, if that is why a put has failed; else null. */
    public @Nullable Long logEndOffset() {
        return logEndOffset;
    }

    /** The sentence for the user. */
    public String detail() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }
}
