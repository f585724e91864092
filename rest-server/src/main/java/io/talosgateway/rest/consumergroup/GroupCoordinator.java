package io.talosgateway.rest.consumergroup;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.admission.TimedAnswers;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.statelog.StateLogKind;
import io.talosgateway.rest.statelog.StateLogParts;
import io.talosgateway.rest.statelog.StateLogs;
import io.talosgateway.scheduler.Deadline;

/** The consumer groups whose partitions this host owns. Safe for use by any thread; does not block. */
public final class GroupCoordinator {

    private final StateLogs<GroupState, GroupRecord> logs;
    private final TimedAnswers answers;

    public GroupCoordinator(GroupConfig config, StateLogParts parts, TimedAnswers answers) {
        this.logs = new StateLogs<>(
                new StateLogKind<>(
                        "consumer groups",
                        () -> new GroupState(config.lease().toNanos(), config.maxSize()),
                        new GroupRecordCodec(),
                        GroupCoordinator::unconfirmed,
                        config.minSuperseded()),
                parts);
        this.answers = answers;
    }

    private static GatewayException unconfirmed(Throwable failure) {
        return GatewayException.in(failure)
                .orElseGet(() ->
                        new GatewayException(ErrorCode.INTERNAL, "The consumer group could not be asked.", failure));
    }

    /** Consumer groups whose partitions this host owns. */
    public int groups() {
        return logs.count(GroupState::groupCount);
    }

    /**
     * Asks a group.
     *
     * @param coordinator holds the group
     * @return as {@link io.talosgateway.rest.partition.PartitionService#askGroup}
     */
    public CompletableFuture<GroupAnswer> ask(HostedPartition coordinator, GroupRequest request, Deadline deadline) {
        return answers.within(
                deadline,
                logs.ask(coordinator, (state, nowNanos) -> state.decide(request, nowNanos)),
                "The time for the request ran out before the storage confirmed what the consumer group has changed. "
                        + "Asking again is safe.");
    }
}
