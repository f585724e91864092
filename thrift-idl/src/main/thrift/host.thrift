/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Between the hosts of one cluster: a host that does not own a partition hands the request to the one that does. */
namespace java io.talosgateway.thrift

include "common.thrift"
include "message.thrift"
include "topic.thrift"

/** What every host-to-host call carries. */
struct HostCall {
  /** Name of the calling host. */
  1: required string fromHost;

  /** Time left to answer, in milliseconds: a duration, so that clocks need not agree. */
  2: required i64 budgetMs;

  /** Request id for the logs of both hosts. */
  3: optional string requestId;

  /** Epoch of the owner in the view of the caller; a host that is ahead or behind can tell. */
  4: optional i64 ownerEpoch;
}

/** Argument of transferPutMessage. */
struct TransferPutMessageRequest {
  /** Caller and time budget. */
  1: required HostCall call;

  /** The partition. */
  2: required topic.TopicAndPartition topicAndPartition;

  /** The blocks as received from the client, unknown fields included. */
  3: required list<message.MessageBlock> messageBlocks;

  /** Idempotency key; absent when the put is not to be recognised when it is repeated. */
  4: optional string idempotencyKey;

  /** Durability asked for: 'memory' (hflush) or 'disk' (hsync). Absent means the default of the owner. */
  5: optional string durability;
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

/** Argument of transferGetMessage. */
struct TransferGetMessageRequest {
  /** Caller and time budget. */
  1: required HostCall call;

  /** The partition. */
  2: required topic.TopicAndPartition topicAndPartition;

  /** First wanted offset, -1 for the earliest or -2 for the last existing message. */
  3: required i64 messageOffset;

  /** Most messages to return. */
  4: required i32 maxMessages;

  /** Most bytes of blocks to return; one block is always returned. */
  5: required i32 maxBytes;

  /** How long to wait for a message when there is none, in milliseconds. Absent means 0. */
  6: optional i64 waitMs;
}

/** Result of transferGetMessage. */
struct TransferGetMessageResponse {
  /** The blocks in increasing offset order; empty when there is nothing to read. */
  1: required list<message.MessageBlock> messageBlocks;

  /** Total messages in the blocks. */
  2: required i32 messageNumber;

  /** First readable offset. */
  3: required i64 logStartOffset;

  /** Offset that the next durable message will get. */
  4: required i64 logEndOffset;
}

/** Result of ping. */
struct PingResponse {
  /** Name of the answering host. */
  1: required string host;

  /** Incarnation of the answering host. */
  2: required i64 incarnation;
}

/** What the hosts of a cluster ask each other. One hop only: a callee that is not the owner refuses. */
service HostService {
  /** Appends blocks to a partition that the callee owns; answered when they are durable. */
  TransferPutMessageResponse transferPutMessage(1: TransferPutMessageRequest request) throws (1: common.GalaxyTalosException e);

  /** Reads blocks of a partition that the callee owns. */
  TransferGetMessageResponse transferGetMessage(1: TransferGetMessageRequest request) throws (1: common.GalaxyTalosException e);

  /** Whether the callee is alive, and which incarnation of it answers. */
  PingResponse ping(1: HostCall call) throws (1: common.GalaxyTalosException e);
}
