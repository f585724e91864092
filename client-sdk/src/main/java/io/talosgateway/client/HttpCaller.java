package io.talosgateway.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/** Sends requests, again where that is safe and may help, within their time. Any thread; nothing blocks. */
final class HttpCaller {

    private static final String BUDGET_HEADER = "Talos-Timeout-Ms";
    /** The gateway answers when the budget ends; its answer needs time to arrive. */
    private static final Duration ANSWER_MARGIN = Duration.ofMillis(500);

    private final HttpClient client;
    private final URI endpoint;
    private final @Nullable String authorization;
    private final RetryPolicy retries;

    HttpCaller(HttpClient client, URI endpoint, @Nullable String authorization, RetryPolicy retries) {
        this.client = client;
        this.endpoint = endpoint;
        this.authorization = authorization;
        this.retries = retries;
    }

    /**
     * Sends a request.
     *
     * @param timeout for all attempts together
     * @return the body of the answer; fails with a {@link GatewayClientException}
     */
    CompletableFuture<byte[]> send(HttpCall call, Duration timeout) {
        CompletableFuture<byte[]> result = new CompletableFuture<>();
        attempt(call, 1, System.nanoTime() + timeout.toNanos(), result);
        return result;
    }

    private void attempt(HttpCall call, int number, long deadlineAtNanos, CompletableFuture<byte[]> result) {
        if (result.isDone()) {
            return;
        }
        Duration remaining = Duration.ofNanos(Math.max(deadlineAtNanos - System.nanoTime(), 1_000_000));
        client.sendAsync(request(call, remaining), BodyHandlers.ofByteArray()).whenComplete((response, failure) -> {
            GatewayClientException problem = failure != null ? noAnswer(call, failure) : refusal(response);
            if (problem == null) {
                result.complete(response.body());
                return;
            }
            Duration pause =
                    retries.pauseAfter(number, ThreadLocalRandom.current().nextDouble());
            boolean inTime = System.nanoTime() + pause.toNanos() - deadlineAtNanos < 0;
            if (inTime && retries.mayTryAgain(number, problem.retry())) {
                CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS)
                        .execute(() -> attempt(call, number + 1, deadlineAtNanos, result));
                return;
            }
            result.completeExceptionally(problem);
        });
    }

    private HttpRequest request(HttpCall call, Duration remaining) {
        byte[] content = call.body();
        BodyPublisher body = content == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(content);
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.resolve(call.path()))
                .method(call.method(), body)
                .timeout(remaining.plus(ANSWER_MARGIN))
                .header(BUDGET_HEADER, Long.toString(remaining.toMillis()));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        call.headers().forEach(request::header);
        return request.build();
    }

    private static @Nullable GatewayClientException refusal(HttpResponse<byte[]> response) {
        return response.statusCode() / 100 == 2
                ? null
                : new GatewayClientException(Json.problem(response.statusCode(), response.body()));
    }

    private GatewayClientException noAnswer(HttpCall call, Throwable failure) {
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
