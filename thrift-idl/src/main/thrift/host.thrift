/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Between the hosts of one cluster: a host that does not own a partition hands the request to the one that does. */
namespace java io.talosgateway.thrift

include "common.thrift"

/**
 * Begins the handshake of a connection, the first call on it. Nothing is proved yet; see prove. The texts that both sides
 * sign are drawn in io.talosgateway.rest.forwarding.Handshake.
 */
struct GreetRequest {
  /** Version of the handshake and of the calls behind it: 2. */
  1: required i32 version;

  /** The cluster that the caller belongs to. */
  2: required string clusterId;

  /** Name of the calling host. */
  3: required string fromHost;

  /** 32 random bytes, new for every connection. */
  4: required binary nonce;

  /** Incarnation under which the calling host is registered; absent in version 1. */
  5: optional i64 fromIncarnation;
}

/** Result of greet. */
struct GreetResponse {
  /** Name of the answering host. */
  1: required string host;

  /** Incarnation of the answering host; the caller goes no further if it meant another one. */
  2: required i64 incarnation;

  /** 32 random bytes, new for every connection. */
  3: required binary nonce;
}

/** Argument of prove. */
struct ProveRequest {
  /** HMAC-SHA-256 of the caller's text under the secret of the cluster. */
  1: required binary proof;
}

/** Result of prove. */
struct ProveResponse {
  /** HMAC-SHA-256 of the answering host's text under the secret of the cluster. */
  1: required binary proof;
}

/** A partition of one incarnation of a topic. */
struct HostPartition {
  /** First 64 bits of the topic's id. */
  1: required i64 topicMostSignificant;

  /** Last 64 bits of the topic's id. */
  2: required i64 topicLeastSignificant;

  /** Number of the partition, from 0. */
  3: required i32 partition;
}

/** What names a request in the logs of all hosts. */
struct HostTrace {
  /** Id of the request, which its client knows. */
  1: required string requestId;

  /** Position in a trace, as the header traceparent of W3C Trace Context; absent if the request is in none. */
  2: optional string traceparent;

  /** What goes with it, as the header tracestate; absent if there is nothing. */
  3: optional string tracestate;
}

/** Messages as a client put them together. */
struct HostBlock {
  /** Messages in the block. */
  1: required i32 messageNumber;

  /** Number of the compression, as received. */
  2: required i32 compression;

  /** The bytes, as received. */
  3: required binary data;

  /** Epoch milliseconds by the client's clock; absent if the client gave none. */
  4: optional i64 createTimestamp;

  /** Fields that the gateway does not interpret, Thrift compact, with a stop at the end; absent if there are none. */
  5: optional binary extraFields;

  /** Offset of the first message; in gets only. */
  6: optional i64 startOffset;

  /** When the block was appended, epoch milliseconds by the owner's clock; in gets only. */
  7: optional i64 appendTimestamp;
}

/** Argument of transferPutMessage. */
struct TransferPutMessageRequest {
  /** Time left to answer, in milliseconds: a duration, so that clocks need not agree. */
  1: required i64 budgetMs;

  /** The partition. */
  2: required HostPartition partition;

  /** The blocks as received from the client. */
  3: required list<HostBlock> messageBlocks;

  /** Idempotency key; absent when the put is not to be recognised when it is repeated. */
  4: optional string idempotencyKey;

  /** Whether the key with other messages is refused; false takes it for a new put. */
  5: optional bool strictKey;

  /** Durability asked for: 'memory' (hflush) or 'disk' (hsync). Absent means the default of the owner. */
  6: optional string durability;

  /** Importance of the topic: 'high', 'normal' or 'low'. */
  7: required string importance;

  /** Offset that the first message must get, or nothing is stored; only with transferConditionalPutMessage. */
  8: optional i64 expectedOffset;

  /** Fencing token that the partition must have, or nothing is stored; only with transferConditionalPutMessage. */
  9: optional string fencingToken;

  /** What names the request in logs; absent from hosts of earlier releases. */
  10: optional HostTrace trace;
}

/** Result of transferPutMessage. */
struct TransferPutMessageResponse {
  /** Offset of the first message. */
  1: required i64 firstOffset;

  /** Number of messages. */
  2: required i32 messageNumber;

  /** When the messages were appended, epoch ms on the clock of the owner. */
  3: required i64 appendTimestamp;

  /** Durability reached: 'memory' (hflush) or 'disk' (hsync). */
  4: required string durability;

  /** True when the put repeats an earlier one and nothing was stored again. */
  5: required bool repeat;
}

/** Where a get begins. */
enum HostFetchFrom {
  /** At the offset given. */
  OFFSET = 1,
  /** At the first message that is kept. */
  EARLIEST = 2,
  /** At the last message there is. */
  LAST_MESSAGE = 3,
  /** Behind the last message there is. */
  LATEST = 4,
  /** At the first message appended at or after the time given. */
  TIME = 5
}

/** Argument of transferGetMessage. */
struct TransferGetMessageRequest {
  /** Time left to answer, in milliseconds. */
  1: required i64 budgetMs;

  /** The partition. */
  2: required HostPartition partition;

  /** Where to begin. */
  3: required HostFetchFrom fromKind;

  /** The offset, or the time in epoch milliseconds; 0 for the other kinds. */
  4: required i64 fromValue;

  /** How many messages are enough. */
  5: required i32 maxMessages;

  /** How many bytes of blocks are enough; one block is always returned. */
  6: required i32 maxBytes;

  /** How long to wait for a message when there is none, in milliseconds. */
  7: required i64 waitMs;

  /** Importance of the topic: 'high', 'normal' or 'low'. */
  8: required string importance;

  /** What names the request in logs; absent from hosts of earlier releases. */
  9: optional HostTrace trace;
}

/** Result of transferGetMessage. */
struct TransferGetMessageResponse {
  /** The blocks in increasing offset order; empty when there is nothing to read. */
  1: required list<HostBlock> messageBlocks;

  /** Offset that the get began at. */
  2: required i64 fromOffset;

  /** First readable offset. */
  3: required i64 logStartOffset;

  /** Offset that the next durable message will get; -1 if the host cannot tell. */
  4: required i64 logEndOffset;
}

/** Argument of describePartitions. */
struct DescribePartitionsRequest {
  /** The partitions. */
  1: required list<HostPartition> partitions;
}

/** What a partition that is served is like. */
struct HostPartitionStatus {
  /** The partition. */
  1: required HostPartition partition;

  /** Where clients reach the owner: host:port, or https://host:port if it speaks TLS only. */
  2: required string owner;

  /** First readable offset. */
  3: required i64 logStartOffset;

  /** Offset that the next durable message will get. */
  4: required i64 logEndOffset;

  /** Bytes of blocks in the storage. */
  5: required i64 storedBytes;

  /** Bytes of blocks ever stored. */
  6: required i64 totalBytes;

  /** The fencing token; absent if there is none. */
  7: optional string fencingToken;
}

/** Result of describePartitions. */
struct DescribePartitionsResponse {
  /** Those of the partitions that the callee serves. */
  1: required list<HostPartitionStatus> partitions;

  /** Whether some of the others are just moving: they will be served shortly. */
  2: optional bool othersMove;
}

/** Argument of findOffset. */
struct FindOffsetRequest {
  /** Time left to answer, in milliseconds. */
  1: required i64 budgetMs;

  /** The partition. */
  2: required HostPartition partition;

  /** Epoch milliseconds. */
  3: required i64 timeMs;
}

/** Result of findOffset. */
struct FindOffsetResponse {
  /** Offset of the first message appended at or after the time; the log end offset if there is none. */
  1: required i64 offset;
}

/** Argument of deleteOldestMessages. */
struct DeleteOldestMessagesRequest {
  /** The partition. */
  1: required HostPartition partition;

  /** First offset to delete. */
  2: required i64 firstOffset;

  /** Last offset to delete. */
  3: required i64 lastOffset;
}

/** Argument of changeFencingToken. */
struct ChangeFencingTokenRequest {
  /** Time left to answer, in milliseconds. */
  1: required i64 budgetMs;

  /** The partition. */
  2: required HostPartition partition;

  /** The new token. */
  3: required string token;

  /** The token that the partition must have; absent if it must have none. */
  4: optional string replaces;
}

/** What is asked of a consumer group; io.talosgateway.rest.partition.GroupRequest says what each means. */
enum HostGroupOperation {
  /** The worker lives, and wants partitions. */
  CLAIM = 1,
  /** The worker gives partitions up. */
  RELEASE = 2,
  /** The worker has processed messages. */
  COMMIT = 3,
  /** Who holds partitions, and what is committed. */
  FIND = 4,
  /** The live workers. */
  WORKERS = 5,
  /** What is known of topics in all groups. */
  LIST = 6,
  /** Forgets a group. */
  DELETE = 7,
  /** The worker lives, and wants its fair share of partitions. */
  BALANCE = 8,
  /** The worker goes. */
  LEAVE = 9,
  /** Sets what is committed, whoever has committed something else. */
  RESET = 10,
  /** The worker lives, and keeps what it holds. */
  HEARTBEAT = 11
}

/** Partitions of one incarnation of a topic. */
struct HostGroupTopic {
  /** First 64 bits of the topic's id. */
  1: required i64 topicMostSignificant;

  /** Last 64 bits of the topic's id. */
  2: required i64 topicLeastSignificant;

  /** Numbers of the partitions, from 0; may be empty. */
  3: required list<i32> partitions;
}

/** What is known of a partition in a consumer group, or of a worker. */
struct HostGroupEntry {
  /** Name of the group. */
  1: required string consumerGroup;

  /** The partition; the number -1 for a worker that holds none. */
  2: required HostPartition partition;

  /** The worker that holds it; empty if none does. */
  3: required string workerId;

  /** Offset of the last message that was processed; -1 if nothing was committed. */
  4: required i64 offset;
}

/** Argument of askConsumerGroup. */
struct AskConsumerGroupRequest {
  /** Time left to answer, in milliseconds. */
  1: required i64 budgetMs;

  /** The partition that holds the group, of the topic for consumer groups. */
  2: required HostPartition coordinator;

  /** What is asked. */
  3: required HostGroupOperation operation;

  /** Name of the group; for LIST what its name begins with. */
  4: required string consumerGroup;

  /** Who asks; empty where that does not matter. */
  5: required string workerId;

  /** What it is about. */
  6: required list<HostGroupTopic> topics;

  /** What is committed; -1 for the other operations. */
  7: required i64 offset;

  /** What must have been committed before; absent if that does not matter. */
  8: optional i64 expectedOffset;
}

/** Result of askConsumerGroup. */
struct AskConsumerGroupResponse {
  /** Whether a change was made. */
  1: required bool accepted;

  /** What was asked for, or what is in the way. */
  2: required list<HostGroupEntry> entries;
}

/** What is asked of a transaction; io.talosgateway.rest.partition.TransactionRequest says what each means. */
enum HostTransactionOperation {
  /** Keeps a block that nobody sees. */
  PREPARE = 1,
  /** Stores a prepared block in its partition. */
  COMMIT = 2,
  /** Drops a prepared block. */
  ROLLBACK = 3,
  /** The transactions that are neither committed nor rolled back. */
  UNDECIDED = 4
}

/** A prepared block. */
struct HostTransaction {
  /** Id of the transaction. */
  1: required i64 transactionId;

  /** The block, as received from the client. */
  2: required HostBlock messageBlock;
}

/** Argument of askTransaction. */
struct AskTransactionRequest {
  /** Time left to answer, in milliseconds. */
  1: required i64 budgetMs;

  /** The partition that holds the transaction, of the topic for transactions. */
  2: required HostPartition coordinator;

  /** What is asked. */
  3: required HostTransactionOperation operation;

  /** The partition that the messages are for. */
  4: required HostPartition partition;

  /** Id of the transaction; 0 where there is none. */
  5: required i64 transactionId;

  /** The block, as received from the client; only with PREPARE. */
  6: optional HostBlock messageBlock;
}

/** Result of askTransaction. */
struct AskTransactionResponse {
  /** Id of the transaction; 0 for UNDECIDED. */
  1: required i64 transactionId;

  /** Those that were asked for, in the order of their ids; empty unless UNDECIDED. */
  2: required list<HostTransaction> transactions;

  /** Whether these are all. */
  3: required bool complete;
}

/** What clients of a host have used of the quota of a topic since it last told. */
struct HostUsedQuota {
  /** First 64 bits of the topic's id. */
  1: required i64 topicMostSignificant;

  /** Last 64 bits of the topic's id. */
  2: required i64 topicLeastSignificant;

  /** Put requests. */
  3: required i64 putRequests;

  /** Bytes put. */
  4: required i64 putBytes;

  /** Get requests. */
  5: required i64 getRequests;

  /** Bytes got. */
  6: required i64 getBytes;
}

/** Argument of tellUsedQuotas. */
struct TellUsedQuotasRequest {
  /** The topics of whose quotas something was used. */
  1: required list<HostUsedQuota> quotas;
}

/**
 * What the hosts of a cluster ask each other. One hop only: a callee that is not the owner refuses.
 *
 * Every connection begins with greet and prove; anything else before, and either of them again, closes it. A connection
 * carries one call at a time.
 *
 * Errors travel as GalaxyTalosException: errorCode is the number for the SDKs; errMsg is the code of the REST interface
 * and whether the call may be repeated, such as 'outcome-unknown same-key'; details is the sentence for the user.
 */
service HostService {
  /** First half of the handshake: the names and a nonce of each side. */
  GreetResponse greet(1: GreetRequest request) throws (1: common.GalaxyTalosException e);

  /** Second half: each side proves that it knows the secret of the cluster. */
  ProveResponse prove(1: ProveRequest request) throws (1: common.GalaxyTalosException e);

  /** Appends blocks to a partition that the callee owns; answered when they are durable. */
  TransferPutMessageResponse transferPutMessage(1: TransferPutMessageRequest request) throws (1: common.GalaxyTalosException e);

  /**
   * The same, if the partition ends at expectedOffset and has fencingToken. A method of its own, because a host that does not know
   * the fields would store the messages anywhere.
   */
  TransferPutMessageResponse transferConditionalPutMessage(1: TransferPutMessageRequest request) throws (1: common.GalaxyTalosException e);

  /** Reads blocks of a partition that the callee owns. */
  TransferGetMessageResponse transferGetMessage(1: TransferGetMessageRequest request) throws (1: common.GalaxyTalosException e);

  /** Looks at partitions; those that the callee does not serve are left out of the result. */
  DescribePartitionsResponse describePartitions(1: DescribePartitionsRequest request) throws (1: common.GalaxyTalosException e);

  /** Finds the offset for a time. */
  FindOffsetResponse findOffset(1: FindOffsetRequest request) throws (1: common.GalaxyTalosException e);

  /** Deletes the oldest messages of a partition that the callee owns. */
  void deleteOldestMessages(1: DeleteOldestMessagesRequest request) throws (1: common.GalaxyTalosException e);

  /** Changes the fencing token of a partition that the callee owns. */
  void changeFencingToken(1: ChangeFencingTokenRequest request) throws (1: common.GalaxyTalosException e);

  /** Asks a consumer group that is held by a partition that the callee owns. */
  AskConsumerGroupResponse askConsumerGroup(1: AskConsumerGroupRequest request) throws (1: common.GalaxyTalosException e);

  /** Asks a transaction that is held by a partition that the callee owns. */
  AskTransactionResponse askTransaction(1: AskTransactionRequest request) throws (1: common.GalaxyTalosException e);

  /** Tells what clients of the caller have used of quotas; the callee counts it, too. */
  void tellUsedQuotas(1: TellUsedQuotasRequest request) throws (1: common.GalaxyTalosException e);
}
