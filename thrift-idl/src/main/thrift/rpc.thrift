/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in compliance
 * with the License. You may obtain a copy of the License at http://www.apache.org/licenses/LICENSE-2.0
 */

/** Types of the authentication library that the Talos SDKs build on. Only Grantee travels. */
namespace java io.talosgateway.thrift.rpc

/** Kind of credential. Selects the Authorization scheme and is never transmitted. */
enum UserType {
  /** Not usable with the SDKs. */
  DEV_XIAOMI_SSO = 1,
  /** Signed. */
  DEV_XIAOMI = 2,
  /** Signed. */
  APP_SECRET = 10,
  /** Signed, scheme 'OAuth'. */
  APP_ACCESS_TOKEN = 11,
  /** Unsigned, scheme 'SSO'. */
  APP_XIAOMI_SSO = 12,
  /** Unsigned, scheme 'Guest'. */
  APP_ANONYMOUS = 13,
}

/** Kind of principal of a Grantee. */
enum GrantType {
  DEVELOPER = 1,
  APP_ROOT = 2,
  APP_USER = 3,
  GUEST = 4,
}

/** HTTP statuses of transport-level errors. */
enum HttpStatusCode {
  /** Malformed request. */
  BAD_REQUEST = 400,
  /** Bad credentials or signature. */
  INVALID_AUTH = 401,
  /** Clock of the client is off; answered with X-Xiaomi-Timestamp. */
  CLOCK_TOO_SKEWED = 412,
  /** Body too large. */
  REQUEST_TOO_LARGE = 413,
  /** Failure of the server. */
  INTERNAL_ERROR = 500,
}

/** MAC algorithms. */
enum MacAlgorithm {
  HmacMD5 = 1,
  /** The only one Talos uses. */
  HmacSHA1 = 2,
  HmacSHA256 = 3,
}

/** Thrift protocols, chosen by Content-Type. */
enum ThriftProtocol {
  /** application/x-thrift-compact: the only one the SDKs use. */
  TCOMPACT = 0,
  /** application/x-thrift-json, and plain application/x-thrift. */
  TJSON = 1,
  /** application/x-thrift-binary. */
  TBINARY = 2,
}

/** Codes that the authentication library uses locally; never on the wire. */
enum ErrorCode {
  INTERNAL_ERROR = 1,
  SERVICE_UNAVAILABLE = 2,
  UNKNOWN = 3,
  END_OF_INTERNAL_ERROR = 20,
  ACCESS_DENIED = 21,
  VALIDATION_FAILED = 22,
  SIZE_EXCEED = 23,
  QUOTA_EXCEED = 24,
  THROUGHPUT_EXCEED = 25,
  RESOURCE_NOT_FOUND = 26,
  RESOURCE_ALREADY_EXISTS = 27,
  RESOURCE_UNAVAILABLE = 28,
  UNSUPPORTED_VERSION = 29,
  UNSUPPORTED_OPERATION = 30,
  INVALID_AUTH = 31,
  CLOCK_TOO_SKEWED = 32,
  REQUEST_TOO_LARGE = 33,
  BAD_REQUEST = 34,
  TTRANSPORT_ERROR = 35,
  UNSUPPORTED_TPROTOCOL = 36,
  REQUEST_TIMEOUT = 37,
}

/** A key and its secret. Used locally by the SDKs, never transmitted. */
struct Credential {
  /** Kind of credential; selects the Authorization scheme and is never transmitted. */
  1: optional UserType type;

  /** Id of the key. */
  2: optional string secretKeyId;

  /** The secret. */
  3: optional string secretKey;
}

/** A principal that holds a permission. It is a map key in CreateTopicRequest.aclMap. */
struct Grantee {
  /** Kind of principal; the SDKs leave it unset. */
  1: optional GrantType type;

  /** Id of the principal, such as a team id 'CI...'. */
  2: optional string identifier;
}

/** Unused by Talos, whose Authorization header is plain text. */
struct HttpAuthorizationHeader {
  /** Version of the scheme. */
  1: optional string version = "SDS-V1";

  /** Kind of user. */
  2: optional UserType userType = UserType.APP_ANONYMOUS;

  /** Id of the key. */
  3: optional string secretKeyId;

  /** The secret. */
  4: optional string secretKey;

  /** The signature. */
  5: optional string signature;

  /** MAC algorithm. */
  6: optional MacAlgorithm algorithm;

  /** Names of the signed headers. */
  7: optional list<string> signedHeaders;

  /** Whether account keys may be used. */
  8: optional bool supportAccountKey;
}

/** Version of the service or of a client. */
struct Version {
  /** Major version. */
  1: optional i32 major = 1;

  /** Minor version. */
  2: optional i32 minor;

  /** Patch version. */
  3: optional string patch = "1da06945";

  /** Free text. */
  4: optional string comments;
}

/** Exception of the authentication library; Talos uses GalaxyTalosException. */
exception ServiceException {
  /** Kind of failure. */
  1: optional ErrorCode errorCode;

  /** Short text. */
  2: optional string errorMessage;

  /** Long text. */
  3: optional string details;

  /** Id of the call. */
  4: optional string callId;

  /** Id of the request. */
  5: optional string requestId;
}
