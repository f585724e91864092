/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Quotas of developers, topics and organisations. */
namespace java io.talosgateway.thrift

include "common.thrift"

/** Space and rate quota of a developer or topic. */
struct BaseQuota {
  /** Bytes allowed. The service defaults to 1 TB per developer and 500 GB per topic. */
  1: required i64 spaceQuota;

  /** Bytes used. */
  2: optional i64 usedSpace;

  /** Bytes left. */
  3: optional i64 remainingSpace;

  /** Put requests per second. The service defaults to 40000 per developer and 4000 per topic. */
  4: optional i32 putMessageQpsQuota;

  /** Get requests per second. The service defaults to 40000 per developer and 4000 per topic. */
  5: optional i32 getMessageQpsQuota;

  /** Put bytes per second. The service defaults to 500 MB per developer and 50 MB per topic. */
  6: optional i64 putMessageBytesQpsQuota;

  /** Get bytes per second. The service defaults to 500 MB per developer and 50 MB per topic. */
  7: optional i64 getMessageBytesQpsQuota;
}

/** Argument of deleteUserQuota. */
struct DeleteUserQuotaRequest {
  /** Developer to clear. */
  1: required string developerId;
}

/** No method uses this struct. Known to: Java 2.4. */
struct ListPendingQuotaResquest {
  /** Login name. No method uses this struct. */
  1: required string loginUser;
}

/** Partition quota of an organisation. */
struct PartitionQuotaInfo {
  /** Organisation id. */
  1: required string orgId;

  /** Partitions applied for / granted. */
  2: required i32 totalQuota;

  /** Partitions in use (misspelt name). */
  3: optional i32 usedOuota;

  /** Free text. */
  4: optional string applyReason;

  /** Display name. */
  5: optional string orgName;
}

/** Argument of applyQuota. Known to: Java 2.4, Go. */
struct ApplyQuotaRequest {
  /** Partitions asked for, and for which organisation. */
  1: required PartitionQuotaInfo quotaInfo;
}

/** Argument of approveQuota. Known to: Java 2.4, Go. */
struct ApproveQuotaRequest {
  /** The application to approve. */
  1: required PartitionQuotaInfo quotaInfo;
}

/** Result of approveQuota. Known to: Java 2.4, Go. */
struct ApproveQuotaResponse {
  /** Applications still pending after the approval. */
  1: required list<PartitionQuotaInfo> pendingQuotaList;

  /** Caller is a service admin. */
  2: required bool talosAdmin;
}

/** Argument of autoApplyQuota. Known to: Java 2.4, Go. */
struct AutoApplyQuotaRequest {
  /** Partitions asked for, and for which organisation. */
  1: required PartitionQuotaInfo quotaInfo;
}

/** Result of listPendingQuota. Known to: Java 2.4, Go. */
struct ListPendingQuotaResponse {
  /** Applications not yet decided. */
  1: required list<PartitionQuotaInfo> pendingQuotaList;

  /** Caller is a service admin. */
  2: required bool talosAdmin;
}

/** Result of listQuota. Known to: Java 2.4, Go. */
struct ListQuotaResponse {
  /** Approved quotas visible to the caller. */
  1: required list<PartitionQuotaInfo> quotaList;

  /** Sum of approved partition quota. */
  2: required i32 approvedTotalQuota;
}

/** Argument of revokeQuota. Known to: Java 2.4, Go. */
struct RevokeQuotaRequest {
  /** The quota or application to take back. */
  1: required PartitionQuotaInfo quotaInfo;
}

/** Result of revokeQuota. Known to: Java 2.4, Go. */
struct RevokeQuotaResponse {
  /** Applications not yet decided. */
  1: required list<PartitionQuotaInfo> pendingQuotaList;

  /** Caller is a service admin. */
  2: required bool talosAdmin;
}

/** Quota of a developer. */
struct UserQuota {
  /** Space and rate quota. */
  1: required BaseQuota baseQuota;

  /** Topics allowed, 1..100; default 20. */
  2: optional i32 topicNumberQuota;
}

/** Result of listUserQuota. */
struct ListUserQuotaResponse {
  /** Developer id -> quota. */
  1: required map<string, UserQuota> userQuotaList;
}

/** Result of queryUserQuota. */
struct QueryUserQuotaResponse {
  /** Quota of one developer. */
  1: required UserQuota userQuota;
}

/** Argument of setUserQuota. */
struct SetUserQuotaRequest {
  /** Developer to set. */
  1: required string developerId;

  /** Quota of one developer. */
  2: required UserQuota userQuota;
}

/** POST /v1/api/quota. */
service QuotaService extends common.TalosBaseService {
  /** Sets the quota of a developer. Right: service admin. */
  void setUserQuota(1: SetUserQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Quotas of all developers. Right: service admin. */
  ListUserQuotaResponse listUserQuota() throws (1: common.GalaxyTalosException e);

  /** Quota of the caller. */
  QueryUserQuotaResponse queryUserQuota() throws (1: common.GalaxyTalosException e);

  /** Removes the quota of a developer. Right: service admin. */
  void deleteUserQuota(1: DeleteUserQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Applies for partition quota for an organisation. Known to: Java 2.4, Go. */
  void applyQuota(1: ApplyQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Applies for partition quota, approved at once where the rules allow. Known to: Java 2.4, Go. */
  void autoApplyQuota(1: AutoApplyQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Approved quotas that the caller may see. Known to: Java 2.4, Go. */
  ListQuotaResponse listQuota() throws (1: common.GalaxyTalosException e);

  /** Applications not yet decided. Known to: Java 2.4, Go. */
  ListPendingQuotaResponse listPendingQuota() throws (1: common.GalaxyTalosException e);

  /** Approves an application. Right: service admin. Known to: Java 2.4, Go. */
  ApproveQuotaResponse approveQuota(1: ApproveQuotaRequest request) throws (1: common.GalaxyTalosException e);

  /** Revokes a quota or application. Right: service admin. Known to: Java 2.4, Go. */
  RevokeQuotaResponse revokeQuota(1: RevokeQuotaRequest request) throws (1: common.GalaxyTalosException e);
}
