package io.talosgateway.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Sends requests, again where that is safe and may help, within their time. Any thread; nothing blocks. */
final class HttpCaller {

    private static final String BUDGET_HEADER = "Talos-Timeout-Ms";
    /** The gateway answers when the budget ends; its answer needs time to arrive. */
    private static final Duration ANSWER_MARGIN = Duration.ofMillis(500);

    private static final int TOO_MANY_REQUESTS = 429;

    private final HttpClient client;
    private final URI endpoint;
    private final RetryPolicy retries;

    HttpCaller(HttpClient client, URI endpoint, RetryPolicy retries) {
        this.client = client;
        this.endpoint = endpoint;
        this.retries = retries;
    }

    /**
     * Sends a request.
     *
     * @param timeout for all attempts together
     * @return the result of the call; fails with a {@link GatewayClientException}
     */
    <T> CompletableFuture<T> send(HttpCall<T> call, Duration timeout) {
        CompletableFuture<T> result = new CompletableFuture<>();
        attempt(call, 1, System.nanoTime() + timeout.toNanos(), result);
        return result;
    }

    private <T> void attempt(HttpCall<T> call, int number, long deadlineAtNanos, CompletableFuture<T> result) {
        if (result.isDone()) {
            return;
        }
        Duration remaining = Duration.ofNanos(Math.max(deadlineAtNanos - System.nanoTime(), 1_000_000));
        HttpRequest request = call.request(endpoint)
                .timeout(remaining.plus(ANSWER_MARGIN))
                .header(BUDGET_HEADER, Long.toString(remaining.toMillis()))
                .build();
        client.sendAsync(request, BodyHandlers.ofByteArray()).whenComplete((response, failure) -> {
            GatewayClientException problem;
            Duration atLeast = Duration.ZERO;
            try {
                if (failure == null) {
                    atLeast = retryAfter(response);
                    result.complete(call.read(response));
                    return;
                }
                problem = noAnswer(call, failure);
            } catch (GatewayClientException e) {
                problem = e;
            } catch (RuntimeException e) {
                problem = new GatewayClientException("The answer cannot be read: " + e, call.withoutAnswer(), e);
            }
            Duration backoff =
                    retries.pauseAfter(number, ThreadLocalRandom.current().nextDouble());
            Duration pause = backoff.compareTo(atLeast) < 0 ? atLeast : backoff;
            boolean inTime = System.nanoTime() + pause.toNanos() - deadlineAtNanos < 0;
            if (inTime && retries.mayTryAgain(number, problem.retry())) {
                CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(() -> attempt(call, number + 1, deadlineAtNanos, result));
                return;
            }
            result.completeExceptionally(problem);
        });
    }

    /**
     * How long a client that has asked for too much is to wait: a quota may be used up for long. What other answers say is a guess in
     * whole seconds, and most are over sooner.
     */
    private static Duration retryAfter(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(seconds -> response.statusCode() == TOO_MANY_REQUESTS)
                .filter(seconds -> seconds.matches("\\d{1,9}"))
                .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)))
                .orElse(Duration.ZERO);
    }

    private GatewayClientException noAnswer(HttpCall<?> call, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ConnectException) {
            // Nothing was sent. The exception has no text of its own.
            return new GatewayClientException(
                    "No gateway answers at %s. Is it running, and is the address right?".formatted(endpoint),
                    Retry.AFTER_BACKOFF,
                    cause);
        }
        if (cause instanceof HttpTimeoutException) {
            return new GatewayClientException(
                    "The gateway at %s did not answer in time".formatted(endpoint), call.withoutAnswer(), cause);
        }
        if (cause instanceof IOException) {
            return new GatewayClientException(
                    "The connection to %s broke: %s".formatted(endpoint, cause.getMessage()),
                    call.withoutAnswer(),
                    cause);
        }
        return new GatewayClientException("The request could not be sent: " + cause, Retry.NEVER, cause);
    }
}
