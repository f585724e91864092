package io.talosgateway.rest.hostprotocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.rest.partition.GroupAnswer;
import io.talosgateway.rest.partition.GroupEntry;
import io.talosgateway.rest.partition.GroupRequest;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.AskConsumerGroupRequest;
import io.talosgateway.thrift.AskConsumerGroupResponse;
import io.talosgateway.thrift.HostGroupEntry;
import io.talosgateway.thrift.HostGroupOperation;
import io.talosgateway.thrift.HostGroupTopic;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;

/** What hosts ask each other about consumer groups. Stateless. */
public final class GroupCodec {

    private GroupCodec() {}

    /** Something that is asked of a group. */
    public record Ask(TopicPartition coordinator, GroupRequest request, Deadline deadline) {}

    /** @param budgetMs time that the owner has */
    public static void writeRequest(TProtocol out, TopicPartition coordinator, GroupRequest request, long budgetMs)
            throws TException {
        List<HostGroupTopic> topics = new ArrayList<>();
        request.partitions()
                .forEach((topic, partitions) ->
                        topics.add(new HostGroupTopic(topic.mostSignificant(), topic.leastSignificant(), partitions)));
        AskConsumerGroupRequest asked = new AskConsumerGroupRequest(
                budgetMs,
                HostFields.partition(coordinator),
                HostGroupOperation.valueOf(request.operation().name()),
                request.group(),
                request.worker(),
                topics,
                request.offset());
        Long expected = request.expectedOffset();
        if (expected != null) {
            asked.setExpectedOffset(expected);
        }
        asked.write(out);
    }

    /**
     * Reads what another host asks.
     *
     * @param clock on which its deadline is
     */
    public static Ask readRequest(TProtocol in, NanoClock clock) throws TException {
        AskConsumerGroupRequest asked = new AskConsumerGroupRequest();
        asked.read(in);
        Map<TopicId, List<Integer>> partitions = new HashMap<>();
        for (HostGroupTopic topic : asked.getTopics()) {
            partitions.put(
                    new TopicId(topic.getTopicMostSignificant(), topic.getTopicLeastSignificant()),
                    List.copyOf(topic.getPartitions()));
        }
        GroupRequest request = new GroupRequest(
                GroupRequest.Operation.valueOf(asked.getOperation().name()),
                asked.getConsumerGroup(),
                asked.getWorkerId(),
                partitions,
                asked.getOffset(),
                asked.isSetExpectedOffset() ? asked.getExpectedOffset() : null);
        return new Ask(
                HostFields.partition(asked.getCoordinator()), request, Budget.deadline(clock, asked.getBudgetMs()));
    }

    public static void writeAnswer(TProtocol out, GroupAnswer answer) throws TException {
        List<HostGroupEntry> entries = new ArrayList<>(answer.entries().size());
        for (GroupEntry entry : answer.entries()) {
            entries.add(new HostGroupEntry(
                    entry.group(),
                    HostFields.partition(new TopicPartition(entry.topic(), entry.partition())),
                    entry.worker(),
                    entry.offset()));
        }
        new AskConsumerGroupResponse(answer.accepted(), entries).write(out);
    }

    public static GroupAnswer readAnswer(TProtocol in) throws TException {
        AskConsumerGroupResponse answer = new AskConsumerGroupResponse();
        answer.read(in);
        List<GroupEntry> entries = new ArrayList<>(answer.getEntries().size());
        for (HostGroupEntry entry : answer.getEntries()) {
            TopicPartition partition = HostFields.partition(entry.getPartition());
            entries.add(new GroupEntry(
                    entry.getConsumerGroup(),
                    partition.topic(),
                    partition.partition(),
                    entry.getWorkerId(),
                    entry.getOffset()));
        }
        return new GroupAnswer(answer.isAccepted(), entries);
    }
}
