/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Errors, versions and the methods that every service has. */
namespace java io.talosgateway.thrift

/**
 * Errors of the Talos service, as they travel in GalaxyTalosException and OffsetInfo. Number 38 is
 * CLOCK_TOO_SKEWED in the Go SDK and CONSUMER_NOT_EXIST in Java 2.4; the gateway never sends it. Java 2.0 knows
 * 0..32 and Java 2.4 knows 0..38: an unknown number reaches them as a null code.
 */
enum ErrorCode {
  NO_ERROR = 0,
  UNKNOWN = 1,
  /** Retry type UNSAFE, back-off 1000 ms. */
  UNEXPECTED_ERROR = 2,
  UNEXPECTED_MESSAGE_OFFSET = 3,
  TOPIC_EXIST = 4,
  /** Retry type SAFE, back-off 1000 ms. */
  TOPIC_NOT_EXIST = 5,
  /** Retry type SAFE, back-off 1000 ms. */
  QUOTA_NOT_EXIST = 6,
  LOCK_EXIST = 7,
  LOCK_NOT_EXIST = 8,
  LOCK_VALUE_NOT_EXPECTED = 9,
  /** Retry type UNSAFE, back-off 1000 ms. */
  MESSAGE_MISSING = 10,
  /** Retry type UNSAFE, back-off 1000 ms. */
  MESSAGE_INCOMPLETE = 11,
  /** Retry type UNSAFE, back-off 1000 ms. */
  MESSAGE_INDEX_UNDESIRED_ERROR = 12,
  /** Retry type UNSAFE, back-off 1000 ms. */
  MESSAGE_INDEX_NOT_EXIST = 13,
  /** Retry type UNSAFE, back-off 1000 ms. */
  MESSAGE_OFFSET_OUT_OF_RANGE = 14,
  /** Retry type UNSAFE, back-off 1000 ms. Called INVALID_TOPIC_NAME by Java 2.0. */
  INVALID_NAME_ERROR = 15,
  INVALID_TOPIC_PARAMS = 16,
  /** Retry type SAFE, back-off 2000 ms. */
  OPERATION_FAILED = 17,
  HDFS_OPERATION_FAILED = 18,
  HBASE_OPERATION_FAILED = 19,
  ZOOKEEPER_OPERATION_FAILED = 20,
  /** Retry type SAFE, back-off 2000 ms. */
  PARTITION_NOT_SERVING = 21,
  PARTITION_NOT_EXIST = 22,
  ZK_NODE_EXIST = 23,
  ZK_NODE_NOT_EXIST = 24,
  /** Retry type SAFE, back-off 1000 ms. */
  REST_SERVER_INIT_ERROR = 25,
  /** Retry type UNSAFE, back-off 1000 ms. */
  INTERNAL_SERVER_ERROR = 26,
  EXCESSIVE_PENDING_MESSAGE = 27,
  PERMISSION_DENIED_ERROR = 28,
  HDFS_FILE_NOT_EXIST = 29,
  INVALID_AUTH_INFO = 30,
  SUB_RESOURCE_NAME_EXIST = 31,
  SUB_RESOURCE_NAME_NOT_EXIST = 32,
  /** Known to: Java 2.4, Go. */
  REQUEST_PROCESS_TIMEOUT = 33,
  /** Known to: Java 2.4, Go. */
  QUOTA_EXCEEDED = 34,
  /** Known to: Java 2.4, Go. */
  THROTTLE_REJECT_ERROR = 35,
  /** Known to: Java 2.4, Go. */
  QUOTA_AUTO_APPROVE_FAILED = 36,
  /** Known to: Java 2.4, Go. */
  HBASE_OPERATION_BLOCKED = 37,
  /** CONSUMER_NOT_EXIST in Java 2.4. Never sent. Known to: Go. */
  CLOCK_TOO_SKEWED = 38,
  /** Known to: Go. */
  REQUEST_TOO_LARGE = 39,
  /** Known to: Go. */
  BAD_REQUEST = 40,
  /** Known to: Go. */
  CONSUMER_NOT_EXIST = 41,
  /** Known to: Go. */
  TRANSACTION_FINISHED = 42,
  /** Known to: Go. */
  TRANSACTION_NOT_EXIST = 43,
  /** Known to: Go. */
  GET_DATA_PREVIEW_ERROR = 44,
  /** Known to: Go. */
  TALOS_SCHEMA_ERROR = 45,
  /** Known to: Go. */
  SOURCE_ClUSTER_LIST_HAS_CIRCLE = 46,
  /** Known to: Go. */
  PUT_MESSAGE_FAILED_TO_MIRROR_PARTITION = 47,
  /** Known to: Go. */
  NOT_TRANSACTION_TOPIC_ERROR = 48,
  /** Known to: Go. */
  TRANSACTION_ACK_DUPLICATED = 49,
  /** Known to: Go. */
  CHANGE_PARTITION_TOO_FAST = 50,
  /** Known to: Go. */
  TOO_MANY_CONSUMER = 51,
  /** Known to: Go. */
  CONSUMER_GROUP_STILL_WORKING = 52,
}

/**
 * Bit mask of rights on a topic: put 1, get 2, describe 4, change topic 8, change permission 16. Only the owner
 * and service admins have the last two; they cannot be granted or revoked.
 */
enum Permission {
  NONE = 0,
  PUT_MESSAGE = 1,
  GET_MESSAGE = 2,
  FULL_MESSAGE_CONTROL = 3,
  DESCRIBE_TOPIC = 4,
  PUT_MESSAGE_AND_DESCRIBE_TOPIC = 5,
  GET_MESSAGE_AND_DESCRIBE_TOPIC = 6,
  TOPIC_READ_AND_MESSAGE_FULL_CONTROL = 7,
  CHANGE_TOPIC = 8,
  FULL_TOPIC_CONTROL = 12,
  FULL_CONTROL = 15,
  CHANGE_PERMISSION = 16,
  ADMIN = 31,
}

/** Whether a client may repeat a failed request. */
enum RetryType {
  /** The request was not carried out: retrying cannot store twice. */
  SAFE = 0,
  /** The request may have been carried out. */
  UNSAFE = 1,
}

/** The one exception of every method: always field 1 of the result. */
exception GalaxyTalosException {
  /** See enums.md; an unknown number becomes null in Java. */
  1: optional ErrorCode errorCode;

  /** Short text. Go looks for marker texts in raw non-200 bodies, see http.md. */
  2: optional string errMsg;

  /** Long text; the shell prints this one. */
  3: optional string details;
}

/** Version of the service or of a client. */
struct Version {
  /** Major. */
  1: required i32 major = 1;

  /** Minor. */
  2: required i32 minor;

  /** Revision. */
  3: required i32 revision;

  /** Release date string. */
  4: required string date = "19700101";

  /** Free text. */
  5: optional string details;
}

/** Methods that every service path answers. */
service TalosBaseService {
  /** Version of the service. */
  Version getServiceVersion() throws (1: GalaxyTalosException e);

  /** Accepts, or refuses with an exception, the version of a client. */
  void validClientVersion(1: Version clientVersion) throws (1: GalaxyTalosException e);
}
