package io.talosgateway.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

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
        Sending<T> sending = new Sending<>(call, System.nanoTime() + timeout.toNanos());
        sending.attempt();
        return sending.result;
    }

    /** One attempt after another. */
    private final class Sending<T> {

        private final HttpCall<T> call;
        private final long deadlineAtNanos;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private int attempts;
        /** What one attempt may have stored, no later one takes back. */
        private boolean maybeStored;

        Sending(HttpCall<T> call, long deadlineAtNanos) {
            this.call = call;
            this.deadlineAtNanos = deadlineAtNanos;
        }

        void attempt() {
            if (result.isDone()) {
                return;
            }
            attempts++;
            Duration remaining = Duration.ofNanos(Math.max(deadlineAtNanos - System.nanoTime(), 1_000_000));
            HttpRequest request = call.request(endpoint)
                    .header(BUDGET_HEADER, Long.toString(remaining.toMillis()))
                    .build();
            CompletableFuture<HttpResponse<byte[]>> sent = client.sendAsync(request, BodyHandlers.ofByteArray());
            // The time limit that a request itself may have ends with the headers of its answer.
            sent.copy()
                    .orTimeout(remaining.plus(ANSWER_MARGIN).toNanos(), TimeUnit.NANOSECONDS)
                    .whenComplete((response, failure) -> {
                        if (failure instanceof TimeoutException) {
                            sent.cancel(true);
                            // Not on the one thread that has all futures of the process time out.
                            CompletableFuture.runAsync(() -> ended(null, failure));
                        } else {
                            ended(response, failure);
                        }
                    });
        }

        private void ended(@Nullable HttpResponse<byte[]> response, @Nullable Throwable failure) {
            Duration atLeast = response == null ? Duration.ZERO : retryAfter(response);
            T answer;
            try {
                if (response == null) {
                    throw noAnswer(call, failure);
                }
                answer = call.read(response);
            } catch (GatewayClientException e) {
                failed(e, atLeast);
                return;
            } catch (RuntimeException e) {
                failed(new GatewayClientException("The answer cannot be read: " + e, call.withoutAnswer(), e), atLeast);
                return;
            }
            Retry again = call.again(answer);
            if (again == null || !triesAgain(again, atLeast)) {
                result.complete(answer);
            }
        }

        private void failed(GatewayClientException problem, Duration atLeast) {
            if (!triesAgain(problem.retry(), atLeast)) {
                boolean uncertain = maybeStored && problem.retry() == Retry.AFTER_BACKOFF;
                result.completeExceptionally(
                        new GatewayClientException(problem, uncertain ? Retry.SAME_KEY : problem.retry(), atLeast));
            }
        }

        private boolean triesAgain(Retry retry, Duration atLeast) {
            maybeStored |= retry == Retry.SAME_KEY;
            Duration backoff =
                    retries.pauseAfter(attempts, ThreadLocalRandom.current().nextDouble());
            Duration pause = backoff.compareTo(atLeast) < 0 ? atLeast : backoff;
            boolean inTime = System.nanoTime() + pause.toNanos() - deadlineAtNanos < 0;
            if (!inTime || !retries.mayTryAgain(attempts, retry)) {
                return false;
            }
            CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS)
                    .execute(this::attempt);
            return true;
        }
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

    private GatewayClientException noAnswer(HttpCall<?> call, @Nullable Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ConnectException || cause instanceof HttpConnectTimeoutException) {
            // Nothing was sent. The exception has no text of its own.
            return new GatewayClientException(
                    "No gateway answers at %s. Is it running, and is the address right?".formatted(endpoint),
                    Retry.AFTER_BACKOFF,
                    cause);
        }
        if (cause instanceof TimeoutException) {
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
