/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Consumer groups: workers, partition locks, committed offsets. */
namespace java io.talosgateway.thrift

include "common.thrift"
include "topic.thrift"

/** Progress of a consumer group in one partition. */
struct CheckPoint {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** The partition. */
  2: required topic.TopicAndPartition topicAndPartition;

  /** Offset of the last processed message (not the next one). */
  3: required i64 msgOffset;

  /** Id of the worker, which is one consumer client. */
  4: required string workerId;

  /**
   * Only when the client switch ...check.last.commit.offset.switch is true and it has committed before:
   * expected currently stored value (compare-and-set).
   */
  5: optional i64 lastCommitOffset;
}

/** Result of checkRegister. Known to: Go. */
struct CheckRegisterResponse {
  /** Worker may register. */
  1: required bool canRegister;
}

/** A worker of a consumer group with partitions of one topic. */
struct ConsumeUnit {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** Resource name of the topic. */
  2: required topic.TopicTalosResourceName topicTalosResourceName;

  /**
   * Empty for lockWorker; exactly one entry for lock/unlockPartition; all held (or being locked) partitions for
   * renew.
   */
  3: required list<i32> partitionIdList;

  /** Id of the worker, which is one consumer client. */
  4: required string workerId;
}

/** Argument of checkRegister. Known to: Go. */
struct CheckRegisterRequest {
  /** Group + topic + partitions + worker. */
  1: required ConsumeUnit consumeUnit;
}

/** Key of QueryOrgOffsetResponse. */
struct ConsumerGroupAndPartition {
  /** Name of the consumer group. */
  1: required string consumerGroupName;

  /** Resource name of the topic. */
  2: required topic.TopicTalosResourceName topicTalosResourceName;

  /** Partition number, 0-based. */
  3: required i32 partitionId;
}

/** Argument of deleteConsumerGroup. Known to: Go. */
struct DeleteConsumerGroupRequest {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** Resource name of the topic. */
  2: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** Argument of getWorkerId. Known to: Java 2.4, Go. */
struct GetWorkerIdRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Name of the consumer group. */
  2: required string consumerGroup;
}

/** Result of getWorkerId. Known to: Java 2.4, Go. */
struct GetWorkerIdResponse {
  /** Id of the worker, which is one consumer client. */
  1: required string workerId;
}

/** Argument of lockPartition. */
struct LockPartitionRequest {
  /** Group + topic + partitions + worker. */
  1: required ConsumeUnit consumeUnit;
}

/** Result of lockPartition. */
struct LockPartitionResponse {
  /** Must contain the requested partition as first element on success. */
  1: required list<i32> successPartitions;

  /** Partitions held by somebody else. */
  2: required list<i32> failedPartitions;
}

/** Argument of lockWorker. */
struct LockWorkerRequest {
  /** Group + topic + partitions + worker. */
  1: required ConsumeUnit consumeUnit;
}

/** Result of lockWorker. */
struct LockWorkerResponse {
  /** False makes the Java SDK fail and the Go SDK panic. */
  1: required bool registerSuccess;
}

/** Argument of queryOffset. */
struct QueryOffsetRequest {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** The partition. */
  2: required topic.TopicAndPartition topicAndPartition;
}

/** Result of queryOffset. */
struct QueryOffsetResponse {
  /** Last committed offset; -1 when nothing was ever committed. */
  1: required i64 msgOffset;
}

/** Argument of queryOrgOffset. Known to: Java 2.4, Go. */
struct QueryOrgOffsetRequest {
  /** Prefix filter. */
  1: required string consumerGroupPrefix;

  /** Organisation. */
  2: required string orgId;
}

/** Result of queryOrgOffset. Known to: Java 2.4, Go. */
struct QueryOrgOffsetResponse {
  /** Per group/topic/partition lag (or offset). */
  1: required map<ConsumerGroupAndPartition, i64> consumerGroupOffsetMap;
}

/** Argument of queryWorker. */
struct QueryWorkerRequest {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** Resource name of the topic. */
  2: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** Result of queryWorker. */
struct QueryWorkerResponse {
  /**
   * Live worker id -> partitions it holds (empty list if none). Must contain the caller right after lockWorker.
   */
  1: required map<string, list<i32>> workerMap;
}

/** Argument of renew. */
struct RenewRequest {
  /** Group + topic + partitions + worker. */
  1: required ConsumeUnit consumeUnit;
}

/** Result of renew. */
struct RenewResponse {
  /** Worker heartbeat accepted. */
  1: required bool heartbeatSuccess;

  /** Partitions whose lock could not be renewed; empty list (not absent) when all fine. */
  2: required list<i32> failedPartitionList;
}

/** A worker of a consumer group with partitions of several topics. Known to: Go. */
struct TopicsConsumeUnit {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** Resource-name string -> partition ids. */
  2: required map<string, list<i32>> topicPartitions;

  /** Id of the worker, which is one consumer client. */
  3: required string workerId;

  /** Required, but sent as an empty string. */
  4: required string topicGroup;
}

/** Argument of lockWorkerForTopics. Known to: Go. */
struct TopicsLockWorkerRequest {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** The topics to register for. */
  2: required list<topic.TopicTalosResourceName> topics;

  /** Id of the worker, which is one consumer client. */
  3: required string workerId;

  /** Required, but sent as an empty string. */
  4: required string topicGroup;
}

/** Result of lockWorkerForTopics. Known to: Go. */
struct TopicsLockWorkerResponse {
  /** False makes the Java SDK fail and the Go SDK panic. */
  1: required bool registerSuccess;
}

/** Argument of queryWorkerForTopics. Known to: Go. */
struct TopicsQueryWorkerRequest {
  /** Name of the consumer group. */
  1: required string consumerGroup;

  /** The topics. */
  2: required list<topic.TopicTalosResourceName> topicTalosResourceNames;

  /** Required, but sent as an empty string. */
  3: required string topicGroup;
}

/** Result of queryWorkerForTopics. Known to: Go. */
struct TopicsQueryWorkerResponse {
  /** Live worker id -> partitions; must contain the caller. */
  1: required map<string, list<topic.TopicAndPartition>> workerMap;
}

/** Argument of renewForTopics. Known to: Go. */
struct TopicsRenewRequest {
  /** Group + topic + partitions + worker. */
  1: required TopicsConsumeUnit consumeUnit;
}

/** Result of renewForTopics. Known to: Go. */
struct TopicsRenewResponse {
  /** Worker heartbeat accepted. */
  1: required bool heartbeatSuccess;

  /**
   * Partitions not renewed; empty list when fine (the Go client cannot act on entries, see client-
   * behaviour.md).
   */
  2: required list<topic.TopicAndPartition> failedPartitionList;
}

/** Argument of unlockPartition. */
struct UnlockPartitionRequest {
  /** Group + topic + partitions + worker. */
  1: required ConsumeUnit consumeUnit;
}

/** Argument of updateOffset. */
struct UpdateOffsetRequest {
  /** The checkpoint. */
  1: required CheckPoint checkpoint;
}

/** Result of updateOffset. */
struct UpdateOffsetResponse {
  /** False = not stored; client logs and tries again at the next commit opportunity. */
  1: required bool success;
}

/** POST /v1/api/consumer. */
service ConsumerService extends common.TalosBaseService {
  /** Takes the lock of one partition for a worker. The result of Java 2.0 has no exception field. */
  LockPartitionResponse lockPartition(1: LockPartitionRequest request) throws (1: common.GalaxyTalosException e);

  /** Registers a worker of a consumer group. The result of Java 2.0 has no exception field. */
  LockWorkerResponse lockWorker(1: LockWorkerRequest request) throws (1: common.GalaxyTalosException e);

  /** Registers a worker for several topics. Known to: Go. */
  TopicsLockWorkerResponse lockWorkerForTopics(1: TopicsLockWorkerRequest request) throws (1: common.GalaxyTalosException e);

  /** Whether a worker may register. Known to: Go. */
  CheckRegisterResponse checkRegister(1: CheckRegisterRequest request) throws (1: common.GalaxyTalosException e);

  /**
   * Gives back the lock of one partition; silently ignored when another worker holds it. The result of Java 2.0
   * has no exception field.
   */
  void unlockPartition(1: UnlockPartitionRequest request) throws (1: common.GalaxyTalosException e);

  /** Heartbeat of a worker and renewal of its partition locks. The result of Java 2.0 has no exception field. */
  RenewResponse renew(1: RenewRequest request) throws (1: common.GalaxyTalosException e);

  /** Heartbeat of a worker with several topics. Known to: Go. */
  TopicsRenewResponse renewForTopics(1: TopicsRenewRequest request) throws (1: common.GalaxyTalosException e);

  /** Commits the offset of the last processed message. The result of Java 2.0 has no exception field. */
  UpdateOffsetResponse updateOffset(1: UpdateOffsetRequest request) throws (1: common.GalaxyTalosException e);

  /** Last committed offset, -1 for none. */
  QueryOffsetResponse queryOffset(1: QueryOffsetRequest request) throws (1: common.GalaxyTalosException e);

  /**
   * Live workers of a consumer group and the partitions each holds. The result of Java 2.0 has no exception
   * field.
   */
  QueryWorkerResponse queryWorker(1: QueryWorkerRequest request) throws (1: common.GalaxyTalosException e);

  /** The same for several topics. Known to: Go. */
  TopicsQueryWorkerResponse queryWorkerForTopics(1: TopicsQueryWorkerRequest request) throws (1: common.GalaxyTalosException e);

  /** Lag of the consumer groups of an organisation. Known to: Java 2.4, Go. */
  QueryOrgOffsetResponse queryOrgOffset(1: QueryOrgOffsetRequest request) throws (1: common.GalaxyTalosException e);

  /** The worker that holds a partition; an empty string for none. Known to: Java 2.4, Go. */
  GetWorkerIdResponse getWorkerId(1: GetWorkerIdRequest request) throws (1: common.GalaxyTalosException e);

  /** Deletes a consumer group of a topic. Known to: Go. */
  void deleteConsumerGroup(1: DeleteConsumerGroupRequest request) throws (1: common.GalaxyTalosException e);
}
