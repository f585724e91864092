package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

import io.talosgateway.rest.hosting.HostedPartition;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.TopicQuota;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.DescribeTopicResponse;
import io.talosgateway.thrift.PartitionState;
import io.talosgateway.thrift.Topic;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicState;
import io.talosgateway.thrift.TopicStatus;
import io.talosgateway.thrift.TopicTalosResourceName;

/** Topics as the structs of the SDKs. */
final class TopicStructs {

    private final HostedPartitions hosting;

    TopicStructs(HostedPartitions hosting) {
        this.hosting = hosting;
    }

    static TopicTalosResourceName resourceName(TopicMetadata topic) {
        return new TopicTalosResourceName(topic.resourceName());
    }

    static TopicInfo info(TopicMetadata topic) {
        return new TopicInfo(topic.name().value(), resourceName(topic), topic.ownerId());
    }

    static TopicAttribute attribute(TopicMetadata topic) {
        return new TopicAttribute()
                .setPartitionNumber(topic.partitions())
                .setMessageRetentionSecs((int) topic.retention().toSeconds())
                .setAttributes(new HashMap<>(topic.attributes()));
    }

    /** The Java SDK needs a space quota even where there is none. */
    static BaseQuota quota(TopicMetadata topic) {
        TopicQuota quota = topic.quota();
        Long space = quota.spaceBytes();
        BaseQuota struct = new BaseQuota(space == null ? Long.MAX_VALUE : space);
        Integer puts = quota.putRequestsPerSecond();
        if (puts != null) {
            struct.setPutMessageQpsQuota(puts);
        }
        Integer gets = quota.getRequestsPerSecond();
        if (gets != null) {
            struct.setGetMessageQpsQuota(gets);
        }
        Long putBytes = quota.putBytesPerSecond();
        if (putBytes != null) {
            struct.setPutMessageBytesQpsQuota(putBytes);
        }
        Long getBytes = quota.getBytesPerSecond();
        if (getBytes != null) {
            struct.setGetMessageBytesQpsQuota(getBytes);
        }
        return struct;
    }

    DescribeTopicResponse description(TopicMetadata topic) {
        return new DescribeTopicResponse(
                info(topic), attribute(topic), state(topic), quota(topic), new HashMap<>(topic.acl()));
    }

    Topic topic(TopicMetadata topic) {
        return new Topic(info(topic), attribute(topic), state(topic))
                .setTopicQuota(quota(topic))
                .setTopicAcl(new HashMap<>(topic.acl()));
    }

    /** Counters of the partitions that this host serves; others are left out. */
    private TopicState state(TopicMetadata topic) {
        List<PartitionState> partitions = new ArrayList<>();
        for (TopicPartition partition : topic.allPartitions().toList()) {
            HostedPartition hosted = hosting.find(partition);
            if (hosted != null) {
                partitions.add(state(hosted));
            }
        }
        return new TopicState(
                        topic.createdAtMs(),
                        TopicStatus.ACTIVE,
                        partitions.stream()
                                .mapToLong(PartitionState::getMessageNumber)
                                .sum(),
                        partitions.stream()
                                .mapToLong(PartitionState::getMessageBytes)
                                .sum(),
                        partitions)
                .setTotalMessageNumber(partitions.stream()
                        .mapToLong(PartitionState::getTotalMessageNumber)
                        .sum())
                .setTotalMessageBytes(partitions.stream()
                        .mapToLong(PartitionState::getTotalMessageBytes)
                        .sum());
    }

    private static PartitionState state(HostedPartition hosted) {
        long start = hosted.log().logStartOffset();
        long end = hosted.log().durableOffset();
        return new PartitionState(
                        hosted.partition().partition(),
                        start,
                        end - 1,
                        end - start,
                        start == end ? 0 : hosted.log().storedBytes())
                .setTotalMessageNumber(end)
                .setTotalMessageBytes(hosted.log().totalBytes());
    }
}
