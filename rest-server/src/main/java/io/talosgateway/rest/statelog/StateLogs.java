package io.talosgateway.rest.statelog;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.topic.TopicPartition;

/**
 * The states of one kind whose partitions this host owns. Safe for use by any thread; does not block.
 *
 * @param <S> the state
 * @param <R> a record of it
 */
public final class StateLogs<S extends LogState<R>, R> {

    private final StateLogKind<S, R> kind;
    private final StateLogParts parts;
    private final Map<TopicPartition, StateLog<S, R>> partitions = new ConcurrentHashMap<>();

    public StateLogs(StateLogKind<S, R> kind, StateLogParts parts) {
        this.kind = kind;
        this.parts = parts;
    }

    /** A sum over the states that were asked something since this host owns them. */
    public int count(ToIntFunction<S> counted) {
        return partitions.values().stream()
                .filter(partition -> !partition.isGone())
                .mapToInt(partition -> partition.count(counted))
                .sum();
    }

    /**
     * Has a request decided, after those before it.
     *
     * @return completed when all that the answer rests on is durable; or with what refuses the request, or with a {@link
     *     GatewayException} after which its changes may or may not be made
     */
    public <T> CompletableFuture<T> ask(HostedPartition hosted, Decider<S, R, T> request) {
        CompletableFuture<T> answer;
        try {
            answer = partition(hosted).ask(request);
        } catch (GatewayException e) {
            answer = CompletableFuture.failedFuture(e);
        }
        return answer.exceptionallyCompose(failure -> CompletableFuture.failedFuture(reason(failure)));
    }

    /** Has a state forget the topics that are deleted. */
    public CompletableFuture<Void> forgetDeletedTopics(HostedPartition hosted) {
        return partition(hosted).forgetDeletedTopics();
    }

    private GatewayException reason(Throwable failure) {
        return GatewayException.in(failure)
                .orElseGet(() -> new GatewayException(
                        ErrorCode.INTERNAL, "The state of %s could not be asked.".formatted(kind.what()), failure));
    }

    private StateLog<S, R> partition(HostedPartition hosted) {
        StateLog<S, R> known = partitions.get(hosted.partition());
        if (known != null && known.isFor(hosted) && !known.isBroken()) {
            return known;
        }
        partitions.values().removeIf(StateLog::isGone);
        return partitions.compute(hosted.partition(), (partition, old) -> {
            if (old != null && old.isFor(hosted) && !old.isBroken()) {
                return old;
            }
            return new StateLog<>(
                    hosted, kind, parts, old == null ? CompletableFuture.completedFuture(null) : old.whenDecided());
        });
    }
}
