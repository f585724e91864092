/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Topics: life cycle, permissions, groups. */
namespace java io.talosgateway.thrift

include "common.thrift"
include "quota.thrift"
include "rpc.thrift"

/** Life cycle of a topic. */
enum TopicStatus {
  CREATING = 0,
  ACTIVE = 1,
  DELETING = 2,
  DELETED = 3,
}

/** How a topic group is defined. Known to: Go. */
enum TopicGroupType {
  /** All topics whose name matches a regular expression. */
  TOPIC_PATTERN = 0,
  /** A list of topics. */
  TOPIC_SET = 1,
}

/** Argument of deleteTopicGroup. Known to: Go. */
struct DeleteTopicGroupRequest {
  /** Name of the topic group. */
  1: required string topicGroupName;
}

/** Argument of describeTopicGroup. Known to: Go. */
struct DescribeTopicGroupRequest {
  /** Name of the topic group. */
  1: required string topicGroupName;
}

/** Argument of describeTopic. */
struct DescribeTopicRequest {
  /** Bare topic name. */
  1: required string topicName;
}

/** Argument of getDescribeInfo. Known to: Java 2.4, Go. */
struct GetDescribeInfoRequest {
  /** Bare topic name. */
  1: required string topicName;
}

/** Result of getPermission. */
struct GetPermissionResponse {
  /** Permission bits. */
  1: required i32 permission;
}

/** Argument of getTopicAttribute. Known to: Go. */
struct GetTopicAttributeRequest {
  /** Bare topic name. */
  1: required string topicName;
}

/** No method uses this struct. Known to: Java 2.4. */
struct GetTopicResourceNameRequest {
  /** Bare topic name. */
  1: required string topicName;
}

/** Result of listPermission. */
struct ListPermissionResponse {
  /** Principal -> permission bits. */
  1: required map<string, i32> permissions;
}

/** Argument of lookupTopics. Known to: Go. */
struct LookupTopicsRequest {
  /** Name of the topic group. */
  1: required string topicGroup;
}

/** Result of lookupTopics. Known to: Go. */
struct LookupTopicsResponse {
  /** Resource-name string -> partition count; an empty map is an error for the client. */
  1: required map<string, i32> topics;
}

/** Argument of matchTopics. Known to: Go. */
struct MatchTopicsRequest {
  /** Regular expression on bare topic names. */
  1: required string topicPattern;

  /** Team whose topics are searched, 'CI...'. */
  2: required string teamId;
}

/** Result of matchTopics. Known to: Go. */
struct MatchTopicsResponse {
  /** Bare names of the matching topics. */
  1: required list<string> topics;
}

/** Counters of a partition. */
struct PartitionState {
  /** Partition number, 0-based. */
  1: required i32 partitionId;

  /** First offset. */
  2: required i64 startOffset;

  /** Last offset (misspelt name). */
  3: required i64 lastestOffset;

  /** Messages currently stored. */
  4: required i64 messageNumber;

  /** Bytes currently stored. */
  5: required i64 messageBytes;

  /** Messages ever written. */
  6: optional i64 totalMessageNumber;

  /** Bytes ever written. */
  7: optional i64 totalMessageBytes;
}

/** Result of queryTopicQuota. */
struct QueryTopicQuotaResponse {
  /** Space and rate quota of the topic. */
  1: required quota.BaseQuota topicQuota;
}

/** What can be changed of a topic. */
struct TopicAttribute {
  /** Number of partitions, 1..256; default 8. */
  1: optional i32 partitionNumber;

  /** How long messages are kept, in seconds, 1 hour..365 days; default 24 hours. */
  2: optional i32 messageRetentionSecs;

  /** Free-form attributes. */
  3: optional map<string, string> attributes;

  /** Partitions before a shrink that is under way. Known to: Go. */
  4: optional i32 oldPartitionNumber;
}

/** Argument of createTopic. */
struct CreateTopicRequest {
  /** orgId/topicName for team keys, bare name for developer keys. */
  1: required string topicName;

  /** partitionNumber expected to be set. */
  2: required TopicAttribute topicAttribute;

  /** Space and rate quota of the topic. */
  3: optional quota.BaseQuota topicQuota;

  /** Initial grants: principal struct -> Permission. */
  4: optional map<rpc.Grantee, common.Permission> aclMap;

  /** Owner display name (Go only). Known to: Go. */
  5: optional string ownerName;
}

/** A named set of topics that one consumer group reads together. Known to: Go. */
struct TopicGroup {
  /** Name of the topic group. */
  1: required string topicGroupName;

  /** Owner of the group. */
  2: required string ownerId;

  /** Whether topicPattern or topicSet defines the group. */
  3: required TopicGroupType type;

  /** Regular expression; set for pattern groups. Clients look at which of topicPattern and topicSet is present. */
  4: optional string topicPattern;

  /** Bare topic names. */
  5: optional list<string> topicSet;

  /** Bare names excluded from the pattern. */
  6: optional list<string> exclusiveTopics;
}

/** Argument of createTopicGroup. Known to: Go. */
struct CreateTopicGroupRequest {
  /** The topic group to create. */
  1: required TopicGroup topicGroup;
}

/** Result of createTopicGroup. Known to: Go. */
struct CreateTopicGroupResponse {
  /** The topic group as created. */
  1: required TopicGroup topicGroup;
}

/** Result of describeTopicGroup. Known to: Go. */
struct DescribeTopicGroupResponse {
  /** The topic group. */
  1: required TopicGroup topicGroup;
}

/** Result of listTopicGroup. Known to: Go. */
struct ListTopicGroupResponse {
  /** The topic groups of the caller. */
  1: required list<TopicGroup> topicGroupList;
}

/** Billing id and display name of an owner. Known to: Go. */
struct TopicOwnerInfo {
  /** Billing id. */
  1: optional string chargeId;

  /** Display name. */
  2: optional string ownerName;
}

/** Status and counters of a topic. */
struct TopicState {
  /** Epoch ms. */
  1: required i64 createTimestamp;

  /** See enums.md. */
  2: required TopicStatus topicStatus;

  /** Messages currently stored, all partitions. */
  3: required i64 messageNumber;

  /** Bytes currently stored. */
  4: required i64 messageBytes;

  /** May be empty but must be present. */
  5: required list<PartitionState> partitionStates;

  /** Messages ever written. */
  6: optional i64 totalMessageNumber;

  /** Bytes ever written. */
  7: optional i64 totalMessageBytes;
}

/**
 * Identity of one incarnation of a topic: 'ownerId#topicName#uuid'. The ownerId may hold '#', so parse from the
 * right. A re-created topic has another uuid.
 */
struct TopicTalosResourceName {
  /** ownerId#topicName#uuid. */
  1: required string topicTalosResourceName;
}

/** Argument of addSubResourceName. */
struct AddSubResourceNameRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** Organisation that receives the topic; client checks it starts with CL. */
  2: required string orgId;

  /** Team that becomes admin; client checks it starts with CI. */
  3: required string adminTeamId;
}

/** Argument of changeTopicAttribute. */
struct ChangeTopicAttributeRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** Partition count, retention, free-form attributes. */
  2: required TopicAttribute topicAttribute;
}

/** Argument of changeTopicOwnerInfo. Known to: Go. */
struct ChangeTopicOwnerInfoRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** The new owner information. */
  2: required TopicOwnerInfo ownerInfo;
}

/** Argument of deleteTopicAttribute. Known to: Go. */
struct DeleteTopicAttributeRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** Key inside TopicAttribute.attributes. */
  2: required string topicAttributeKey;
}

/** Argument of deleteTopicQuota. */
struct DeleteTopicQuotaRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;
}

/** Argument of deleteTopic. */
struct DeleteTopicRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;
}

/** Result of getDescribeInfo. Known to: Java 2.4, Go. */
struct GetDescribeInfoResponse {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** Current partition count. */
  2: required i32 partitionNumber;
}

/** Argument of getPermission. */
struct GetPermissionRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;

  /** The principal (identifier is the team id, e.g. CI..., or a developer/account id). */
  2: required rpc.Grantee grant;
}

/** Result of getTopicAttribute. Known to: Go. */
struct GetTopicAttributeResponse {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** Partition count, retention, free-form attributes. */
  2: required TopicAttribute topicAttribute;
}

/** No method uses this struct. Known to: Java 2.4. */
struct GetTopicResourceNameResponse {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;
}

/** Argument of listPermission. */
struct ListPermissionRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;
}

/** Argument of queryTopicQuota. */
struct QueryTopicQuotaRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;
}

/** Argument of revokePermission. */
struct RevokePermissionRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;

  /** The principal (identifier is the team id, e.g. CI..., or a developer/account id). */
  2: required rpc.Grantee grant;
}

/** Argument of setPermission. */
struct SetPermissionRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;

  /** The principal (identifier is the team id, e.g. CI..., or a developer/account id). */
  2: required rpc.Grantee grant;

  /** New permission, replaces the old one. */
  3: required common.Permission permission;
}

/** Argument of setTopicQuota. */
struct SetTopicQuotaRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicResourceName;

  /** Space and rate quota of the topic. */
  2: required quota.BaseQuota topicQuota;
}

/** A partition of one incarnation of a topic. */
struct TopicAndPartition {
  /** Bare topic name. */
  1: required string topicName;

  /** Resource name of the topic. */
  2: required TopicTalosResourceName topicTalosResourceName;

  /** Partition number, 0-based. */
  3: required i32 partitionId;
}

/** Identity of a topic. */
struct TopicInfo {
  /** Bare topic name. */
  1: required string topicName;

  /** Resource name of the topic. */
  2: required TopicTalosResourceName topicTalosResourceName;

  /** Owner; organisation id for team topics (the shell prints it as OrgId). */
  3: required string ownerId;

  /** Billing id and display name of the owner. Known to: Go. */
  4: optional TopicOwnerInfo ownerInfo;
}

/** Result of createTopic. */
struct CreateTopicResponse {
  /** Identity of the topic. */
  1: required TopicInfo topicInfo;
}

/** Result of describeTopic. */
struct DescribeTopicResponse {
  /** Identity of the topic. */
  1: required TopicInfo topicInfo;

  /** Partition count, retention, free-form attributes. */
  2: required TopicAttribute topicAttribute;

  /** Status and counters. */
  3: required TopicState topicState;

  /** Space and rate quota of the topic. */
  4: required quota.BaseQuota topicQuota;

  /** Principal (team id) -> permission bits. Required by Java: send an empty map, not nothing. */
  5: required map<string, i32> aclMap;
}

/** Result of listTopics. */
struct ListTopicsResponse {
  /** Topics. */
  1: required list<TopicInfo> topicInfos;
}

/** A topic that another topic replicates. Known to: Go. */
struct SourceTopicInfo {
  /** Name of the source cluster. */
  1: required string sourceCluster;

  /** Bare name of the source topic. */
  2: required string topicName;

  /** Description of the source topic. */
  3: optional DescribeTopicResponse sourceTopic;
}

/** Argument of changeReplicationTopicSourceInfo. Known to: Go. */
struct ChangeReplicationTopicSourceInfoRequest {
  /** Resource name of the topic. */
  1: required TopicTalosResourceName topicTalosResourceName;

  /** The topics to replicate from. */
  2: required list<SourceTopicInfo> sourceTopicInfoList;
}

/** Argument of createReplicationTopic. Known to: Go. */
struct CreateReplicationTopicRequest {
  /** Bare topic name. */
  1: required string topicName;

  /** The topics to replicate from. */
  2: required list<SourceTopicInfo> sourceTopicInfoList;
}

/** A topic with all details. */
struct Topic {
  /** Identity of the topic. */
  1: required TopicInfo topicInfo;

  /** Partition count, retention, free-form attributes. */
  2: required TopicAttribute topicAttribute;

  /** Status and counters. */
  3: required TopicState topicState;

  /** Space and rate quota of the topic. */
  4: optional quota.BaseQuota topicQuota;

  /** Principal -> permission bits. */
  5: optional map<string, i32> topicAcl;
}

/** Result of listTopicsInfo. Known to: Java 2.4, Go. */
struct ListTopicsInfoResponse {
  /** Topics with full details. */
  1: required list<Topic> topicList;
}

/** Argument of updateTopicGroup. Known to: Go. */
struct UpdateTopicGroupRequest {
  /** The topic group with its new definition. */
  1: required TopicGroup topicGroup;
}

/** POST /v1/api/topic. */
service TopicService extends common.TalosBaseService {
  /**
   * Creates a topic. The name is 'orgId/topicName' when the key is a team key (AK..., EAK...). TOPIC_EXIST if
   * it is taken. Right: any known key.
   */
  CreateTopicResponse createTopic(1: CreateTopicRequest request) throws (1: common.GalaxyTalosException e);

  /** Creates a topic that replicates others. Known to: Go. */
  CreateTopicResponse createReplicationTopic(1: CreateReplicationTopicRequest request) throws (1: common.GalaxyTalosException e);

  /** Creates a topic group. Known to: Go. */
  CreateTopicGroupResponse createTopicGroup(1: CreateTopicGroupRequest request) throws (1: common.GalaxyTalosException e);

  /** Describes a topic group. Known to: Go. */
  DescribeTopicGroupResponse describeTopicGroup(1: DescribeTopicGroupRequest request) throws (1: common.GalaxyTalosException e);

  /** Deletes a topic group. Known to: Go. */
  void deleteTopicGroup(1: DeleteTopicGroupRequest request) throws (1: common.GalaxyTalosException e);

  /** Lists the topic groups of the caller. Known to: Go. */
  ListTopicGroupResponse listTopicGroup() throws (1: common.GalaxyTalosException e);

  /** Changes a topic group. Known to: Go. */
  void updateTopicGroup(1: UpdateTopicGroupRequest request) throws (1: common.GalaxyTalosException e);

  /** Deletes a topic with its messages. Right: change topic. */
  void deleteTopic(1: DeleteTopicRequest request) throws (1: common.GalaxyTalosException e);

  /** Topics of a topic group: resource name -> partition count. Known to: Go. */
  LookupTopicsResponse lookupTopics(1: LookupTopicsRequest request) throws (1: common.GalaxyTalosException e);

  /** Names of the topics that match a pattern. Known to: Go. */
  MatchTopicsResponse matchTopics(1: MatchTopicsRequest request) throws (1: common.GalaxyTalosException e);

  /** Changes partition count, retention and attributes. Partitions can only be added. Right: change topic. */
  void changeTopicAttribute(1: ChangeTopicAttributeRequest request) throws (1: common.GalaxyTalosException e);

  /** Removes one entry of the free-form attributes. Right: change topic. Known to: Go. */
  void deleteTopicAttribute(1: DeleteTopicAttributeRequest request) throws (1: common.GalaxyTalosException e);

  /** Changes billing id and display name. Right: change topic. Known to: Go. */
  void changeTopicOwnerInfo(1: ChangeTopicOwnerInfoRequest request) throws (1: common.GalaxyTalosException e);

  /** Changes the sources of a replicating topic. Right: change topic. Known to: Go. */
  void changeReplicationTopicSourceInfo(1: ChangeReplicationTopicSourceInfoRequest request) throws (1: common.GalaxyTalosException e);

  /** Everything about a topic. Right: describe topic. */
  DescribeTopicResponse describeTopic(1: DescribeTopicRequest request) throws (1: common.GalaxyTalosException e);

  /** Resource name and partition count of a topic. Right: describe topic. Known to: Java 2.4, Go. */
  GetDescribeInfoResponse getDescribeInfo(1: GetDescribeInfoRequest request) throws (1: common.GalaxyTalosException e);

  /** Resource name and attributes of a topic. Right: describe topic. Known to: Go. */
  GetTopicAttributeResponse getTopicAttribute(1: GetTopicAttributeRequest request) throws (1: common.GalaxyTalosException e);

  /** Topics of the caller with all details. Known to: Java 2.4, Go. */
  ListTopicsInfoResponse listTopicsInfo() throws (1: common.GalaxyTalosException e);

  /** Topics of the caller. */
  ListTopicsResponse listTopics() throws (1: common.GalaxyTalosException e);

  /** Topics bound to the caller. Known to: Java 2.4, Go. */
  ListTopicsResponse getBindTopics() throws (1: common.GalaxyTalosException e);

  /** Sets the quota of a topic. Right: owner or service admin. */
  void setTopicQuota(1: SetTopicQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Quota of a topic. Right: owner or service admin. */
  QueryTopicQuotaResponse queryTopicQuota(1: QueryTopicQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Removes the quota of a topic. Right: owner or service admin. */
  void deleteTopicQuota(1: DeleteTopicQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Grants a permission, replacing an earlier one. Right: owner or service admin. */
  void setPermission(1: SetPermissionRequest request) throws (1: common.GalaxyTalosException e);

  /** Revokes a permission. The owner cannot be revoked. Right: owner or service admin. */
  void revokePermission(1: RevokePermissionRequest request) throws (1: common.GalaxyTalosException e);

  /** Permissions of a topic: principal -> bits. Right: describe topic. */
  ListPermissionResponse listPermission(1: ListPermissionRequest request) throws (1: common.GalaxyTalosException e);

  /** Permission bits of one principal. Right: describe topic. */
  GetPermissionResponse getPermission(1: GetPermissionRequest request) throws (1: common.GalaxyTalosException e);

  /** Gives a topic of a developer to an organisation and team. Right: owner. */
  void addSubResourceName(1: AddSubResourceNameRequest request) throws (1: common.GalaxyTalosException e);
}
