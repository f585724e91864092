/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Messages: put, get, offsets, transactions. */
namespace java io.talosgateway.thrift

include "common.thrift"
include "topic.thrift"

/**
 * How the bytes of a message block are compressed, as a whole. An unknown number makes a whole reply unreadable
 * for Java.
 */
enum MessageCompressionType {
  /** Plain concatenation. */
  NONE = 0,
  /** xerial stream framing; the default of every producer. */
  SNAPPY = 1,
  /** One gzip member (RFC 1952). */
  GZIP = 2,
  /** A zstd frame (RFC 8878). Go only: a Java consumer cannot parse a reply that holds it. */
  ZSTD = 3,
  /** A length prefix and one raw LZ4 block. Go only, like ZSTD. */
  LZ4 = 4,
}

/** What the payload of a message is. */
enum MessageType {
  /** The only value known to Java 2.0; the default. */
  BINARY = 1,
  UTF8 = 2,
  THRIFT = 3,
  AVRO = 4,
  PROTOBUF = 5,
}

/** Special values of GetMessageRequest.messageOffset. */
enum MessageOffset {
  /** The earliest message still stored. */
  START_OFFSET = -1,
  /** The last existing message. */
  LATEST_OFFSET = -2,
}

/** Argument of commit. Known to: Go. */
struct CommitRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Id of the transaction. */
  2: required i64 transactionId;

  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  3: required string sequenceId;
}

/** Result of commit. Known to: Go. */
struct CommitResponse {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Id of the transaction. */
  2: required i64 transactionId;

  /**
   * True when this host forwarded the request to the owner; the SDKs then refresh their schedule. Absent means
   * false.
   */
  3: optional bool isTransfer;
}

/** Argument of deleteMessageIndex. Known to: Go. */
struct DeleteMessageIndexRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** First offset to delete. */
  2: required i64 startOffset;

  /** Last offset to delete, inclusive. */
  3: required i64 endOffset;
}

/** Argument of getTopicCheckpoint. Known to: Go. */
struct GetCheckpointRequest {
  /** Resource name of the topic. */
  1: required topic.TopicTalosResourceName topicTalosResourceName;

  /** Partition id -> time, epoch ms. */
  2: required map<i32, i64> partitionTimeIndexMap;
}

/** Result of getTopicCheckpoint. Known to: Go. */
struct GetCheckpointResponse {
  /** Partition id -> offset of the first message appended at or after the time asked for. */
  1: required map<i32, i64> partitionsCheckPoint;
}

/** Argument of getMessage. */
struct GetMessageRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** First wanted offset, or -1 (earliest) / -2 (latest). */
  3: required i64 messageOffset;

  /** Most messages to return, 1..2000 (the Go SDK asks for up to 20000). Absent means 2000. */
  4: optional i32 maxGetMessageNumber = 2000;

  /**
   * Most bytes of blocks to return, 1 B..10 MiB; one block is always returned. Absent means 10 MiB. Every SDK
   * sends 2097152.
   */
  5: optional i32 maxGetMessageBytes = 10485760;

  /** Whether to fill unHandledMessageNumber. Absent means true. The Go SDK sends an explicit false. */
  6: optional bool showUnHandledMessageNumber = true;

  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  7: required string sequenceId;

  /**
   * Absolute deadline on the clock of the client, epoch ms: now + its timeout (10 000 ms by default). Never
   * sent by Java 2.0, and a proof that the client reads V3 messages. Known to: Java 2.4, Go.
   */
  8: optional i64 timeoutTimestamp;

  /** Tags to filter by; ignored by this gateway. Known to: Go. */
  9: optional set<string> messageTags;
}

/** Argument of getPartitionCheckpoint. Known to: Go. */
struct GetPartitionCheckpointRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Time, epoch ms. */
  2: required i64 partitionTimeIndex;
}

/** Result of getPartitionCheckpoint. Known to: Go. */
struct GetPartitionCheckpointResponse {
  /** Offset of the first message appended at or after the time asked for. */
  1: required i64 partitionCheckPoint;
}

/** Argument of getPartitionOffset. */
struct GetPartitionOffsetRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;
}

/** Argument of getPartitionsOffset. */
struct GetPartitionsOffsetRequest {
  /** Partitions served by the same server. */
  1: required list<topic.TopicAndPartition> topicAndPartitionList;
}

/** Argument of getScheduleInfo. Known to: Java 2.4, Go. */
struct GetScheduleInfoRequest {
  /** Resource name of the topic. */
  1: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** Result of getScheduleInfo. Known to: Java 2.4, Go. */
struct GetScheduleInfoResponse {
  /**
   * Partition -> 'host:port' of the host that serves it: no scheme, no path, never empty. Partitions without an
   * owner are left out.
   */
  1: required map<topic.TopicAndPartition, string> scheduleInfo;
}

/** Argument of getTopicOffset. */
struct GetTopicOffsetRequest {
  /** Resource name of the topic. */
  1: required topic.TopicTalosResourceName topicTalosResourceName;
}

/** Argument of getUnkownStateTransaction. Known to: Go. */
struct GetUnkownStateTransactionRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /**
   * Absolute deadline on the clock of the client, epoch ms: now + its timeout (10 000 ms by default). Never
   * sent by Java 2.0, and a proof that the client reads V3 messages.
   */
  2: optional i64 timeoutTimestamp;
}

/** Storage struct of the original service; no method uses it. Known to: Go. */
struct HdfsMessageIndex {
  /** Offset of the first message. */
  1: required i64 messageOffset;

  /** Path of the log file. */
  2: required string filePath;

  /** Byte position in the log file. */
  3: required i64 hdfsLogFileOffset;

  /** Number of messages. */
  4: required i32 messageNumber;
}

/** One message. Inside a block it is serialized with a version header; see docs/message-format.md. */
struct Message {
  /** 1..256 chars, routing key; survives only in V3 blocks. */
  1: optional string partitionKey;

  /** 1..256 chars, user-chosen id. */
  2: optional string sequenceNumber;

  /** Payload, 1 B..10 MiB (Go: up to 100 MiB). */
  3: required binary message;

  /** Epoch ms, set by the producer SDK if unset. */
  4: optional i64 createTimestamp;

  /** Epoch ms, set by the consumer SDK from the block. */
  5: optional i64 appendTimestamp;

  /** See enums.md; producer SDK sets BINARY if unset (2.0.2: always BINARY). */
  6: optional MessageType messageType;

  /** Id of a schema (note the capital S in the name). Known to: Java 2.4, Go. */
  7: optional string SchemaFingerprint;

  /** Tag of the message. Known to: Go. */
  8: optional string tag;
}

/** A message with its offset. Used inside the SDKs only. */
struct MessageAndOffset {
  /** The message. */
  1: required Message message;

  /** Offset of this message. */
  2: required i64 messageOffset;

  /** Messages after this one. */
  3: optional i64 unHandledMessageNumber;
}

/** Helper of the Go SDK; no method uses it. */
struct FetchMessageResult {
  /** The messages. */
  1: required list<MessageAndOffset> messageList;

  /** Offset to read next. */
  2: optional i64 nextReadOffset;
}

/**
 * One or more messages serialized one after another and compressed as a whole. The gateway keeps the bytes as
 * they are.
 */
struct MessageBlock {
  /** Offset of the first message; clients send 0 on put, server assigns. */
  1: required i64 startMessageOffset;

  /** Messages inside; offsets are start..start+n-1. */
  2: required i32 messageNumber;

  /** Required; Java fails the whole reply on an unknown value (3, 4). */
  3: required MessageCompressionType compressionType = MessageCompressionType.NONE;

  /** Serialized + compressed messages. */
  4: required binary messageBlock;

  /** Length of messageBlock in bytes (set by producers). */
  5: optional i32 messageBlockSize;

  /** Epoch ms, set by the server on put; copied into every message on read. */
  6: optional i64 appendTimestamp;

  /** Epoch ms, running mean of message create times (set by producers). */
  7: optional i64 createTimestamp;

  /** Per-message create times; size must equal messageNumber. No SDK sets or reads it. Known to: Java 2.4, Go. */
  8: optional list<i64> createTimestampList;

  /** Id of the transaction the block belongs to; kept as received. Known to: Go. */
  9: optional i64 transactionId;

  /** Tag of the block; kept as received. Known to: Go. */
  10: optional string tag;

  /** Hash of the tag; kept as received. Known to: Go. */
  11: optional i32 tagCode;
}

/** Result of getMessage. */
struct GetMessageResponse {
  /** Blocks in increasing offset order; empty list (not absent) when nothing to read. */
  1: required list<MessageBlock> messageBlocks;

  /** Total messages in messageBlocks (clients ignore it but Java requires it). */
  2: required i32 messageNumber;

  /** Latest offset minus the offset of the last returned message. */
  3: optional i64 unHandledMessageNumber;

  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  4: required string sequenceId;

  /**
   * True when this host forwarded the request to the owner; the SDKs then refresh their schedule. Absent means
   * false. Known to: Java 2.4, Go.
   */
  5: optional bool isTransfer;

  /** Offset to read next, for a client that filters by tag; left unset by this gateway. Known to: Go. */
  6: optional i64 nextReadOffset;
}

/** Result of getUnkownStateTransaction. Known to: Go. */
struct GetUnkownStateTransactionResponse {
  /** Transaction id -> prepared block (misspelt name). */
  1: required map<i64, MessageBlock> unknowStateTransactions;

  /** True when there are no more entries. (Misspelt on the wire.) */
  2: required bool isReadAllUnknowInfo;
}

/** Storage struct of the original service; no method uses it. */
struct MessageIndex {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Offset of the first message. */
  2: required i64 messageOffset;

  /** Byte position in the log file. */
  3: required i64 hdfsLogFileOffset;

  /** Number of messages. */
  4: required i32 messageNumber;

  /** Epoch ms. Known to: Go. */
  5: required i64 appendTimeStamp;
}

/** Readable range of a partition. */
struct OffsetInfo {
  /** Partition number, 0-based. */
  1: required i32 partitionId;

  /** Offset of the first readable message; 0 for a new partition. */
  2: optional i64 startOffset;

  /** Offset of the last message (inclusive); -1 when the partition is empty. */
  3: optional i64 endOffset;

  /** Set (with errorMsg) when this partition could not be queried. */
  4: optional common.ErrorCode errorCode;

  /** The shell treats any non-null value as failure. */
  5: optional string errorMsg;
}

/** Result of getPartitionOffset. */
struct GetPartitionOffsetResponse {
  /** In-band error possible through OffsetInfo.errorCode/errorMsg. */
  1: required OffsetInfo offsetInfo;
}

/** Result of getPartitionsOffset. */
struct GetPartitionsOffsetResponse {
  /** One entry per partition. */
  1: required list<OffsetInfo> offsetInfoList;
}

/** Result of getTopicOffset. */
struct GetTopicOffsetResponse {
  /** One entry per partition. */
  1: required list<OffsetInfo> offsetInfoList;
}

/** Argument of prepare. Known to: Go. */
struct PrepareRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Block to store invisibly until commit. */
  2: required MessageBlock messageBlock;

  /** Number of messages in the block. */
  3: required i32 messageNumber;

  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  4: required string sequenceId;

  /**
   * Absolute deadline on the clock of the client, epoch ms: now + its timeout (10 000 ms by default). Never
   * sent by Java 2.0, and a proof that the client reads V3 messages.
   */
  5: optional i64 timeoutTimestamp;
}

/** Result of prepare. Known to: Go. */
struct PrepareResponse {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Id of the transaction. */
  2: required i64 transactionId;

  /**
   * True when this host forwarded the request to the owner; the SDKs then refresh their schedule. Absent means
   * false.
   */
  3: optional bool isTransfer;
}

/** Argument of putMessage. */
struct PutMessageRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** The SDKs always send exactly one block. */
  2: required list<MessageBlock> messageBlocks;

  /** Total messages in the blocks. */
  3: required i32 messageNumber;

  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  4: required string sequenceId;

  /**
   * Absolute deadline on the clock of the client, epoch ms: now + its timeout (10 000 ms by default). Never
   * sent by Java 2.0, and a proof that the client reads V3 messages. Known to: Java 2.4, Go.
   */
  5: optional i64 timeoutTimestamp;
}

/** Result of putMessage. */
struct PutMessageResponse {
  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  1: required string sequenceId;

  /**
   * True when this host forwarded the request to the owner; the SDKs then refresh their schedule. Absent means
   * false. Known to: Java 2.4, Go.
   */
  2: optional bool isTransfer;
}

/** Argument of rollback. Known to: Go. */
struct RollbackRequest {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Id of the transaction. */
  2: required i64 transactionId;

  /** Client id, '#', counter. Echoed. Not unique with the Go SDK, where the counter never advances. */
  3: required string sequenceId;
}

/** Result of rollback. Known to: Go. */
struct RollbackResponse {
  /** The partition. */
  1: required topic.TopicAndPartition topicAndPartition;

  /** Id of the transaction. */
  2: required i64 transactionId;

  /**
   * True when this host forwarded the request to the owner; the SDKs then refresh their schedule. Absent means
   * false.
   */
  3: optional bool isTransfer;
}

/** POST /v1/api/message. */
service MessageService extends common.TalosBaseService {
  /** Appends messages to a partition; answered when they are durable. Right: put message. */
  PutMessageResponse putMessage(1: PutMessageRequest request) throws (1: common.GalaxyTalosException e);

  /** Reads messages of a partition. Right: get message. */
  GetMessageResponse getMessage(1: GetMessageRequest request) throws (1: common.GalaxyTalosException e);

  /** Readable range of every partition of a topic. */
  GetTopicOffsetResponse getTopicOffset(1: GetTopicOffsetRequest request) throws (1: common.GalaxyTalosException e);

  /**
   * Readable range of a partition. Only the Go SDK knows the exception field; to the others errors travel in
   * OffsetInfo.
   */
  GetPartitionOffsetResponse getPartitionOffset(1: GetPartitionOffsetRequest request) throws (1: common.GalaxyTalosException e);

  /** Readable ranges of several partitions. Declares no exception: errors travel in OffsetInfo. */
  GetPartitionsOffsetResponse getPartitionsOffset(1: GetPartitionsOffsetRequest request);

  /** Which host serves which partition: 'host:port'. Known to: Java 2.4, Go. */
  GetScheduleInfoResponse getScheduleInfo(1: GetScheduleInfoRequest request) throws (1: common.GalaxyTalosException e);

  /** Stores a block invisibly, as part of a transaction. Known to: Go. */
  PrepareResponse prepare(1: PrepareRequest request) throws (1: common.GalaxyTalosException e);

  /** Makes a prepared block visible. Known to: Go. */
  CommitResponse commit(1: CommitRequest request) throws (1: common.GalaxyTalosException e);

  /** Drops a prepared block. Known to: Go. */
  RollbackResponse rollback(1: RollbackRequest request) throws (1: common.GalaxyTalosException e);

  /** Prepared blocks without commit or rollback. (Misspelt on the wire.) Known to: Go. */
  GetUnkownStateTransactionResponse getUnkownStateTransaction(1: GetUnkownStateTransactionRequest request) throws (1: common.GalaxyTalosException e);

  /** Offsets for times, for several partitions. Known to: Go. */
  GetCheckpointResponse getTopicCheckpoint(1: GetCheckpointRequest request) throws (1: common.GalaxyTalosException e);

  /** Offset for a time. Known to: Go. */
  GetPartitionCheckpointResponse getPartitionCheckpoint(1: GetPartitionCheckpointRequest request) throws (1: common.GalaxyTalosException e);

  /** Deletes the oldest messages of a partition up to an offset. Known to: Go. */
  void deleteMessageIndex(1: DeleteMessageIndexRequest request) throws (1: common.GalaxyTalosException e);
}
