package io.talosgateway.rest.forwarding.thrift;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.Peer;

/**
 * One incarnation of another host: a link for calls that are answered soon, and one for gets that wait for messages, which
 * would take the connections from the others. Safe for use by any thread.
 */
final class RemoteHost {

    private final LinkParts parts;
    private final Peer peer;
    private final HostLink calls;
    private final HostLink waits;
    private final int maxWaiting;
    private final AtomicInteger waiting = new AtomicInteger();
    private final ForwardMetrics.ForHost metrics;

    RemoteHost(LinkParts parts, Peer peer, ForwardMetrics.ForHost metrics) {
        this.parts = parts;
        this.peer = peer;
        this.metrics = metrics;
        this.maxWaiting = parts.config().maxWaitingGets();
        this.calls = new HostLink(parts, peer, parts.config().maxConnections(), metrics);
        this.waits = new HostLink(parts, peer, Math.max(1, maxWaiting), metrics);
        metrics.watch(this);
    }

    Peer peer() {
        return peer;
    }

    /** Asks something that is answered soon. */
    <R> CompletableFuture<R> ask(Call.Question<R> question) {
        return ask(calls, question, () -> {});
    }

    /** Takes one of the places for gets that wait; false if there is none. To be given back by asking. */
    boolean reserveWait() {
        if (waiting.incrementAndGet() > maxWaiting) {
            waiting.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Asks something that is answered when there are messages; a place must be reserved. */
    <R> CompletableFuture<R> askAndWait(Call.Question<R> question) {
        return ask(waits, question, waiting::decrementAndGet);
    }

    private <R> CompletableFuture<R> ask(HostLink link, Call.Question<R> question, Runnable onEnd) {
        Call<R> call = new Call<>(question, parts.answers(), link::expired, failure -> {
            metrics.outcome(question.kind(), failure);
            onEnd.run();
        });
        CompletableFuture<R> answer = call.future();
        try {
            link.submit(call);
        } catch (GatewayException e) {
            answer.completeExceptionally(e);
        }
        return answer;
    }

    void close(String reason) {
        metrics.remove();
        calls.close(reason);
        waits.close(reason);
    }

    int queued() {
        return calls.queued() + waits.queued();
    }

    long queuedBytes() {
        return calls.queuedBytes() + waits.queuedBytes();
    }

    int inFlight() {
        return calls.inFlight() + waits.inFlight();
    }

    int openConnections() {
        return calls.openConnections() + waits.openConnections();
    }

    int backingOff() {
        return (calls.isBackingOff() ? 1 : 0) + (waits.isBackingOff() ? 1 : 0);
    }
}
