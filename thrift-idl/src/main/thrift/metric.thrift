/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** What monitoring asks for. */
namespace java io.talosgateway.thrift

include "common.thrift"
include "topic.thrift"

/** A consumer group on a topic. */
struct ConsumerGroupAndTopic {
  /** Name of the consumer group. */
  1: required string consumerGroupName;

  /** Resource name of the topic. */
  2: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** A consumer group. No method uses it. */
struct ConsumerGroupName {
  /** Name of the consumer group. */
  1: required string consumerGroupName;
}

/** Argument of getDataPreview. Known to: Go. */
struct GetDataPreviewRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /**
   * Absolute deadline on the clock of the client, epoch ms: now + its timeout (10 000 ms by default). Never
   * sent by Java 2.0, and a proof that the client reads V3 messages.
   */
  2: optional i64 timeoutTimestamp;
}

/** Result of getDataPreview. Known to: Go. */
struct GetDataPreviewResponse {
  /** Column titles. */
  1: required list<string> schemaTitleList;

  /** Rows: column title -> text. */
  2: required list<map<string, string>> messageLists;

  /** Number of messages. */
  3: required i32 messageNumber;

  /**
   * True when this host forwarded the request to the owner; the SDKs then refresh their schedule. Absent means
   * false.
   */
  4: optional bool isTransfer;
}

/** Argument of getTopicConsumeUnit. Known to: Java 2.4, Go. */
struct GetTopicConsumeUnitRequest {
  /** Group and topic. */
  1: required ConsumerGroupAndTopic consumerGroupAndTopic;
}

/** No method uses this struct. Known to: Java 2.4. */
struct ListTopicsRequest {
  /** Owner. No method uses this struct. */
  1: required string ownerId;
}

/** Progress of a consumer group in one partition, as monitoring shows it. */
struct PartitionConsumeUnit {
  /** Partition number, 0-based. */
  1: required i32 partitionId;

  /** Client address of the consumer. */
  2: required string ipAddr;

  /** Last committed offset. */
  3: required i64 consumerCommitOffset;

  /** Messages behind. */
  4: required i64 consumerOffsetLag;
}

/** Result of getTopicConsumeUnit. Known to: Java 2.4, Go. */
struct GetTopicConsumeUnitResponse {
  /** One entry per partition. */
  1: required list<PartitionConsumeUnit> partitionConsumeUnitList;
}

/** Argument of queryConsumerGroup. Known to: Java 2.4, Go. */
struct QueryConsumerGroupRequest {
  /** Resource name of the topic. */
  1: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** Result of queryConsumerGroup. Known to: Java 2.4, Go. */
struct QueryConsumerGroupResponse {
  /** Group names (a set on the wire). */
  1: required set<string> consumerGroupList;
}

/** Argument of queryTopicConsumeUnit. Known to: Java 2.4, Go. */
struct QueryTopicConsumeUnitRequest {
  /** Resource name of the topic. */
  1: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** Result of queryTopicConsumeUnit. Known to: Java 2.4, Go. */
struct QueryTopicConsumeUnitResponse {
  /** Group name -> partitions. */
  1: required map<string, list<PartitionConsumeUnit>> topicConsumeUnitMap;
}

/** POST /v1/api/metric. */
service MetricService extends common.TalosBaseService {
  /** Topics of the caller with all details. Known to: Java 2.4, Go. */
  topic.ListTopicsInfoResponse listTopics() throws (1: common.GalaxyTalosException e);

  /** Consumer groups of a topic. Known to: Java 2.4, Go. */
  QueryConsumerGroupResponse queryConsumerGroup(1: QueryConsumerGroupRequest request) throws (1: common.GalaxyTalosException e);

  /** Progress of one consumer group on a topic. Known to: Java 2.4, Go. */
  GetTopicConsumeUnitResponse getTopicConsumeUnit(1: GetTopicConsumeUnitRequest request) throws (1: common.GalaxyTalosException e);

  /** Progress of all consumer groups on a topic. Known to: Java 2.4, Go. */
  QueryTopicConsumeUnitResponse queryTopicConsumeUnit(1: QueryTopicConsumeUnitRequest request) throws (1: common.GalaxyTalosException e);

  /** The latest messages as text. Known to: Go. */
  GetDataPreviewResponse getDataPreview(1: GetDataPreviewRequest request) throws (1: common.GalaxyTalosException e);
}
