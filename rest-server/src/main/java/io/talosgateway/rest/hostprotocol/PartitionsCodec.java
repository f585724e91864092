package io.talosgateway.rest.hostprotocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.partition.PartitionStatuses;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.ChangeFencingTokenRequest;
import io.talosgateway.thrift.DeleteOldestMessagesRequest;
import io.talosgateway.thrift.DescribePartitionsRequest;
import io.talosgateway.thrift.DescribePartitionsResponse;
import io.talosgateway.thrift.FindOffsetRequest;
import io.talosgateway.thrift.FindOffsetResponse;
import io.talosgateway.thrift.HostPartition;
import io.talosgateway.thrift.HostPartitionStatus;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;

/** What hosts ask each other about partitions, puts and gets aside. Stateless. */
public final class PartitionsCodec {

    private PartitionsCodec() {}

    /** A look for the offset of a time; {@code timeMs} is epoch milliseconds. */
    public record OffsetAt(TopicPartition partition, long timeMs, Deadline deadline) {}

    /** A deletion of the oldest messages, both offsets included. */
    public record Trim(TopicPartition partition, long firstOffset, long lastOffset) {}

    /** A change of a fencing token. */
    public record FencingToken(FencingTokenChange change, Deadline deadline) {}

    public static void writeDescribe(TProtocol out, Collection<TopicPartition> partitions) throws TException {
        List<HostPartition> list = new ArrayList<>(partitions.size());
        for (TopicPartition partition : partitions) {
            list.add(HostFields.partition(partition));
        }
        new DescribePartitionsRequest(list).write(out);
    }

    public static List<TopicPartition> readDescribe(TProtocol in) throws TException {
        DescribePartitionsRequest request = new DescribePartitionsRequest();
        request.read(in);
        return request.getPartitions().stream().map(HostFields::partition).toList();
    }

    public static void writeStatuses(TProtocol out, PartitionStatuses answer) throws TException {
        List<HostPartitionStatus> list = new ArrayList<>(answer.statuses().size());
        for (PartitionStatus status : answer.statuses()) {
            list.add(new HostPartitionStatus(
                            HostFields.partition(status.partition()),
                            status.owner(),
                            status.logStartOffset(),
                            status.logEndOffset(),
                            status.storedBytes(),
                            status.totalBytes())
                    .setFencingToken(status.fencingToken()));
        }
        new DescribePartitionsResponse(list).setOthersMove(answer.othersMove()).write(out);
    }

    public static PartitionStatuses readStatuses(TProtocol in) throws TException {
        DescribePartitionsResponse response = new DescribePartitionsResponse();
        response.read(in);
        List<PartitionStatus> statuses =
                new ArrayList<>(response.getPartitions().size());
        for (HostPartitionStatus status : response.getPartitions()) {
            statuses.add(new PartitionStatus(
                    HostFields.partition(status.getPartition()),
                    status.getOwner(),
                    status.getLogStartOffset(),
                    status.getLogEndOffset(),
                    status.getStoredBytes(),
                    status.getTotalBytes(),
                    status.getFencingToken()));
        }
        return new PartitionStatuses(statuses, response.isOthersMove());
    }

    /** @param budgetMs time that the owner has */
    public static void writeOffsetAt(TProtocol out, TopicPartition partition, long timeMs, long budgetMs)
            throws TException {
        new FindOffsetRequest(budgetMs, HostFields.partition(partition), timeMs).write(out);
    }

    /** @param clock on which the deadline is */
    public static OffsetAt readOffsetAt(TProtocol in, NanoClock clock) throws TException {
        FindOffsetRequest request = new FindOffsetRequest();
        request.read(in);
        return new OffsetAt(
                HostFields.partition(request.getPartition()),
                request.getTimeMs(),
                Budget.deadline(clock, request.getBudgetMs()));
    }

    public static void writeOffset(TProtocol out, long offset) throws TException {
        new FindOffsetResponse(offset).write(out);
    }

    public static Long readOffset(TProtocol in) throws TException {
        FindOffsetResponse response = new FindOffsetResponse();
        response.read(in);
        return response.getOffset();
    }

    public static void writeTrim(TProtocol out, TopicPartition partition, long firstOffset, long lastOffset)
            throws TException {
        new DeleteOldestMessagesRequest(HostFields.partition(partition), firstOffset, lastOffset).write(out);
    }

    /** @param budgetMs time that the owner has */
    public static void writeFencingToken(TProtocol out, FencingTokenChange change, long budgetMs) throws TException {
        new ChangeFencingTokenRequest(budgetMs, HostFields.partition(change.partition()), change.token())
                .setReplaces(change.replaces())
                .write(out);
    }

    /** @param clock on which the deadline is */
    public static FencingToken readFencingToken(TProtocol in, NanoClock clock) throws TException {
        ChangeFencingTokenRequest request = new ChangeFencingTokenRequest();
        request.read(in);
        return new FencingToken(
                new FencingTokenChange(
                        HostFields.partition(request.getPartition()), request.getToken(), request.getReplaces()),
                Budget.deadline(clock, request.getBudgetMs()));
    }

    public static Trim readTrim(TProtocol in) throws TException {
        DeleteOldestMessagesRequest request = new DeleteOldestMessagesRequest();
        request.read(in);
        return new Trim(
                HostFields.partition(request.getPartition()), request.getFirstOffset(), request.getLastOffset());
    }
}
