package io.talosgateway.rest.errors;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;

/**
 * A request fails in a way that the client is told. The message is a sentence for the user: the reason and, where there
 * is one, the next step. Has no stack trace unless it is a bug: it is thrown often, and the place says nothing new.
 */
public final class GatewayException extends RuntimeException {

    private static final long serialVersionUID = 1L;
    /** Details quote what clients have sent, which may be megabytes, and not once only. */
    private static final int MAX_DETAIL = 600;

    private final ErrorCode code;
    private final RetryAdvice retry;
    private final @Nullable Long logEndOffset;
    private final @Nullable String fencingToken;
    private final long retryAfterSeconds;

    public GatewayException(ErrorCode code, String detail) {
        this(code, detail, (Throwable) null);
    }

    public GatewayException(ErrorCode code, String detail, @Nullable Throwable cause) {
        this(code, code.retry(), detail, cause, null, null, 1);
    }

    private GatewayException(
            ErrorCode code,
            RetryAdvice retry,
            String detail,
            @Nullable Throwable cause,
            @Nullable Long logEndOffset,
            @Nullable String fencingToken,
            long retryAfterSeconds) {
        super(shortened(detail), cause, false, code.fault() == Fault.INTERNAL);
        this.code = code;
        this.retry = retry;
        this.logEndOffset = logEndOffset;
        this.fencingToken = fencingToken;
        this.retryAfterSeconds = retryAfterSeconds;
    }

    /** More is asked for than a quota allows; {@code wait} is how long nothing more will be allowed. */
    public static GatewayException exceedsQuota(ErrorCode code, String detail, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new GatewayException(code, code.retry(), detail, null, null, null, seconds);
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
                logEndOffset,
                null,
                1);
    }

    /**
     * A put has another fencing token than the partition, or one that it has not is to be replaced.
     *
     * @param current what it has; null if it has none
     */
    public static GatewayException fenced(@Nullable String current) {
        return new GatewayException(
                ErrorCode.FENCED,
                ErrorCode.FENCED.retry(),
                current == null
                        ? "The partition has no fencing token; nothing was changed."
                        : "The partition has the fencing token '%s': another writer has taken it; nothing was changed."
                                .formatted(current),
                null,
                null,
                current,
                1);
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
                ? new GatewayException(
                        code, RetryAdvice.SAME_KEY, detail(), getCause(), logEndOffset, fencingToken, retryAfterSeconds)
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
        return new GatewayException(code, retry, detail(), getCause(), end, fencingToken, retryAfterSeconds);
    }

    /** The same, as another host has told it. */
    public GatewayException withFencingToken(String token) {
        return new GatewayException(code, retry, detail(), getCause(), logEndOffset, token, retryAfterSeconds);
    }

    /** Where the partition ends, if that is why a put has failed; else null. */
    public @Nullable Long logEndOffset() {
        return logEndOffset;
    }

    /** The fencing token of the partition, if that is why the request has failed, and there is one; else null. */
    public @Nullable String fencingToken() {
        return fencingToken;
    }

    /** How long to wait before the request is repeated, if repeating it can help; at least 1. */
    public long retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** The sentence for the user. */
    public String detail() {
        String message = getMessage();
        return message == null ? code.title() : message;
    }
}
