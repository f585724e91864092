package io.talosgateway.client;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A request that failed. Futures of {@link TalosClient}s fail with it, and with nothing else.
 *
 * <p>{@link #problem()} is what the gateway answered, or null if there was no answer; {@link #retry()} says in either case
 * what may be done.
 */
public final class GatewayClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable Problem problem;
    private final Retry retry;
    private final Duration retryAfter;

    GatewayClientException(Problem problem) {
        super(sentence(problem));
        this.problem = problem;
        this.retry = problem.retry() == null ? Retry.NEVER : problem.retry();
        this.retryAfter = Duration.ZERO;
    }

    /** The same, with what else is known of the request. */
    GatewayClientException(GatewayClientException last, Retry retry, Duration retryAfter) {
        super(last.getMessage(), last.getCause());
        this.problem = last.problem;
        this.retry = retry;
        this.retryAfter = retryAfter;
    }

    GatewayClientException(String message, Retry retry, @Nullable Throwable cause) {
        super(message, cause);
        this.problem = null;
        this.retry = retry;
        this.retryAfter = Duration.ZERO;
    }

    private static String sentence(Problem problem) {
        if (problem.detail() != null) {
            return problem.detail();
        }
        return problem.title() != null ? problem.title() : "HTTP status " + problem.status();
    }

    /** What the gateway answered; null if no answer came. */
    public @Nullable Problem problem() {
        return problem;
    }

    /** The stable code of the gateway's answer, such as {@code topic-not-found}; null if no answer came. */
    public @Nullable String code() {
        return problem == null ? null : problem.code();
    }

    /** Whether trying again may help, and whether it may store something twice. */
    public Retry retry() {
        return retry;
    }

    /** For how long the gateway asks not to be asked again, as when a quota is used up; zero if it does not. */
    public Duration retryAfter() {
        return retryAfter;
    }
}
