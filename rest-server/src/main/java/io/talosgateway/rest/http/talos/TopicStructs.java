package io.talosgateway.rest.http.talos;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.talosgateway.rest.partition.PartitionStatus;
import io.talosgateway.rest.topic.Grants;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicOwnerInfo;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.thrift.BaseQuota;
import io.talosgateway.thrift.DescribeTopicResponse;
import io.talosgateway.thrift.PartitionState;
import io.talosgateway.thrift.Topic;
import io.talosgateway.thrift.TopicAttribute;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.TopicState;
import io.talosgateway.thrift.TopicStatus;
import io.talosgateway.thrift.TopicTalosResourceName;
import org.jspecify.annotations.Nullable;

/** Topics as the structs of the SDKs. */
final class TopicStructs {

    private TopicStructs() {}

    static TopicTalosResourceName resourceName(TopicMetadata topic) {
        return new TopicTalosResourceName(topic.resourceName());
    }

    static TopicInfo info(TopicMetadata topic) {
        TopicInfo info = new TopicInfo(topic.name().value(), resourceName(topic), topic.ownerId());
        return topic.ownerInfo().equals(TopicOwnerInfo.NONE) ? info : info.setOwnerInfo(ownerInfo(topic.ownerInfo()));
    }

    private static io.talosgateway.thrift.TopicOwnerInfo ownerInfo(TopicOwnerInfo info) {
        io.talosgateway.thrift.TopicOwnerInfo struct = new io.talosgateway.thrift.TopicOwnerInfo();
        String chargeId = info.chargeId();
        if (chargeId != null) {
            struct.setChargeId(chargeId);
        }
        String ownerName = info.ownerName();
        if (ownerName != null) {
            struct.setOwnerName(ownerName);
        }
        return struct;
    }

    static TopicOwnerInfo ownerInfo(io.talosgateway.thrift.TopicOwnerInfo struct) {
        return new TopicOwnerInfo(struct.getChargeId(), struct.getOwnerName());
    }

    /** Of a topic that is created. */
    static TopicOwnerInfo ownerName(@Nullable String ownerName) {
        return ownerName == null ? TopicOwnerInfo.NONE : new TopicOwnerInfo(null, ownerName);
    }

    static TopicAttribute attribute(TopicMetadata topic) {
        return new TopicAttribute()
                .setPartitionNumber(topic.partitions())
                .setMessageRetentionSecs((int) topic.retention().toSeconds())
                .setAttributes(new HashMap<>(topic.attributes()));
    }

    /** What a client asks for. The most bytes that a number can say are no limit, as {@link #quota(Quota)} answers it. */
    static Quota quota(@Nullable BaseQuota quota) {
        if (quota == null) {
            return Quota.UNLIMITED;
        }
        return new Quota(
                quota.getSpaceQuota() == Long.MAX_VALUE ? null : quota.getSpaceQuota(),
                quota.isSetPutMessageQpsQuota() ? quota.getPutMessageQpsQuota() : null,
                quota.isSetGetMessageQpsQuota() ? quota.getGetMessageQpsQuota() : null,
                quota.isSetPutMessageBytesQpsQuota() ? quota.getPutMessageBytesQpsQuota() : null,
                quota.isSetGetMessageBytesQpsQuota() ? quota.getGetMessageBytesQpsQuota() : null);
    }

    /** The Java SDK needs a space quota even where there is none. */
    static BaseQuota quota(Quota quota) {
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

    /** @param used bytes; null if that is not known, because some partitions are not served */
    static void setUse(BaseQuota struct, Quota quota, @Nullable Long used) {
        if (used != null) {
            struct.setUsedSpace(used);
            Long space = quota.spaceBytes();
            if (space != null) {
                struct.setRemainingSpace(Math.max(0, space - used));
            }
        }
    }

    static DescribeTopicResponse description(TopicMetadata topic, Map<TopicPartition, PartitionStatus> partitions) {
        return new DescribeTopicResponse(
                info(topic), attribute(topic), state(topic, partitions), quota(topic.quota()), Grants.of(topic));
    }

    static Topic topic(TopicMetadata topic, Map<TopicPartition, PartitionStatus> partitions) {
        return new Topic(info(topic), attribute(topic), state(topic, partitions))
                .setTopicQuota(quota(topic.quota()))
                .setTopicAcl(Grants.of(topic));
    }

    /** Counters of the partitions that are served; others are left out. */
    private static TopicState state(TopicMetadata topic, Map<TopicPartition, PartitionStatus> partitions) {
        List<PartitionState> states = topic.allPartitions()
                .map(partitions::get)
                .filter(Objects::nonNull)
                .map(TopicStructs::state)
                .toList();
        return new TopicState(
                        topic.createdAtMs(),
                        TopicStatus.ACTIVE,
                        states.stream()
                                .mapToLong(PartitionState::getMessageNumber)
                                .sum(),
                        states.stream()
                                .mapToLong(PartitionState::getMessageBytes)
                                .sum(),
                        states)
                .setTotalMessageNumber(states.stream()
                        .mapToLong(PartitionState::getTotalMessageNumber)
                        .sum())
                .setTotalMessageBytes(states.stream()
                        .mapToLong(PartitionState::getTotalMessageBytes)
                        .sum());
    }

    private static PartitionState state(PartitionStatus status) {
        return new PartitionState(
                        status.partition().partition(),
                        status.logStartOffset(),
                        status.logEndOffset() - 1,
                        status.messageCount(),
                        status.storedBytes())
                .setTotalMessageNumber(status.logEndOffset())
                .setTotalMessageBytes(status.totalBytes());
    }
}
