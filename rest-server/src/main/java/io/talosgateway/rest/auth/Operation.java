package io.talosgateway.rest.auth;

import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Every operation of both interfaces, and what it asks of its caller. An interface finds its operations here by name, so
 * that it cannot offer one that is missing. {@code docs/permissions.md} is made from this table.
 */
public enum Operation {
    REST_GET_INDEX(Api.REST, "getIndex", Need.NOTHING, Effect.READS),
    REST_GET_OPEN_API(Api.REST, "getOpenApi", Need.NOTHING, Effect.READS),
    REST_LIST_TOPICS(Api.REST, "listTopics", Need.KEY, Effect.READS),
    REST_CREATE_TOPIC(Api.REST, "createTopic", Need.KEY, Effect.CHANGES),
    REST_DESCRIBE_TOPIC(Api.REST, "describeTopic", Need.DESCRIBE, Effect.READS),
    REST_CHANGE_TOPIC(Api.REST, "changeTopic", Need.CHANGE_TOPIC, Effect.CHANGES),
    REST_DELETE_TOPIC(Api.REST, "deleteTopic", Need.CHANGE_TOPIC, Effect.CHANGES),
    REST_LIST_PARTITIONS(Api.REST, "listPartitions", Need.DESCRIBE, Effect.READS),
    REST_DESCRIBE_PARTITION(Api.REST, "describePartition", Need.DESCRIBE, Effect.READS),
    REST_PUT_TO_TOPIC(Api.REST, "putToTopic", Need.PUT, Effect.CHANGES),
    REST_SET_FENCING_TOKEN(Api.REST, "setFencingToken", Need.PUT, Effect.CHANGES),
    REST_PUT_TO_PARTITION(Api.REST, "putToPartition", Need.PUT, Effect.CHANGES),
    REST_GET_MESSAGES(Api.REST, "getMessages", Need.GET, Effect.READS),
    REST_LIST_PERMISSIONS(Api.REST, "listPermissions", Need.DESCRIBE, Effect.READS),
    REST_SET_PERMISSIONS(Api.REST, "setPermissions", Need.CHANGE_PERMISSION, Effect.CHANGES),
    REST_REVOKE_PERMISSIONS(Api.REST, "revokePermissions", Need.CHANGE_PERMISSION, Effect.CHANGES),
    REST_GET_QUOTA(Api.REST, "getQuota", Need.CHANGE_TOPIC, Effect.READS),
    REST_SET_QUOTA(Api.REST, "setQuota", Need.CHANGE_TOPIC, Effect.CHANGES),
    REST_DELETE_QUOTA(Api.REST, "deleteQuota", Need.CHANGE_TOPIC, Effect.CHANGES),
    REST_LIST_GROUPS(Api.REST, "listGroups", Need.DESCRIBE, Effect.READS),
    REST_DESCRIBE_GROUP(Api.REST, "describeGroup", Need.DESCRIBE, Effect.READS),
    REST_DELETE_GROUP(Api.REST, "deleteGroup", Need.CHANGE_TOPIC, Effect.CHANGES),
    REST_RESET_GROUP(Api.REST, "resetGroup", Need.GET, Effect.CHANGES),
    REST_JOIN_GROUP(Api.REST, "joinGroup", Need.GET, Effect.CHANGES),
    REST_KEEP_MEMBER(Api.REST, "keepMember", Need.GET, Effect.READS),
    REST_POLL(Api.REST, "poll", Need.GET, Effect.READS),
    REST_COMMIT(Api.REST, "commit", Need.GET, Effect.CHANGES),
    REST_LEAVE_GROUP(Api.REST, "leaveGroup", Need.GET, Effect.CHANGES),
    REST_LIST_OWNER_QUOTAS(Api.REST, "listOwnerQuotas", Need.ADMIN, Effect.READS),
    REST_GET_OWNER_QUOTA(Api.REST, "getOwnerQuota", Need.OWNER, Effect.READS),
    REST_SET_OWNER_QUOTA(Api.REST, "setOwnerQuota", Need.ADMIN, Effect.CHANGES),
    REST_DELETE_OWNER_QUOTA(Api.REST, "deleteOwnerQuota", Need.ADMIN, Effect.CHANGES),
    REST_DESCRIBE_CLUSTER(Api.REST, "describeCluster", Need.ADMIN, Effect.READS),
    REST_DESCRIBE_HOST(Api.REST, "describeHost", Need.ADMIN, Effect.READS),
    REST_LIST_KEYS(Api.REST, "listKeys", Need.ADMIN, Effect.READS),
    REST_CREATE_KEY(Api.REST, "createKey", Need.ADMIN, Effect.CHANGES),
    REST_DESCRIBE_KEY(Api.REST, "describeKey", Need.ADMIN, Effect.READS),
    REST_CHANGE_KEY(Api.REST, "changeKey", Need.ADMIN, Effect.CHANGES),
    REST_DELETE_KEY(Api.REST, "deleteKey", Need.ADMIN, Effect.CHANGES),
    REST_ROTATE_KEY(Api.REST, "rotateKey", Need.ADMIN, Effect.CHANGES),

    BASE_GET_SERVICE_VERSION(Api.BASE, "getServiceVersion", Need.NOTHING, Effect.READS),
    BASE_VALID_CLIENT_VERSION(Api.BASE, "validClientVersion", Need.NOTHING, Effect.READS),

    TOPIC_CREATE_TOPIC(Api.TOPIC, "createTopic", Need.KEY, Effect.CHANGES),
    TOPIC_DELETE_TOPIC(Api.TOPIC, "deleteTopic", Need.CHANGE_TOPIC, Effect.CHANGES),
    TOPIC_CHANGE_TOPIC_ATTRIBUTE(Api.TOPIC, "changeTopicAttribute", Need.CHANGE_TOPIC, Effect.CHANGES),
    TOPIC_DELETE_TOPIC_ATTRIBUTE(Api.TOPIC, "deleteTopicAttribute", Need.CHANGE_TOPIC, Effect.CHANGES),
    TOPIC_DESCRIBE_TOPIC(Api.TOPIC, "describeTopic", Need.DESCRIBE, Effect.READS),
    TOPIC_GET_DESCRIBE_INFO(Api.TOPIC, "getDescribeInfo", Need.DESCRIBE, Effect.READS),
    TOPIC_GET_TOPIC_ATTRIBUTE(Api.TOPIC, "getTopicAttribute", Need.DESCRIBE, Effect.READS),
    TOPIC_LIST_TOPICS(Api.TOPIC, "listTopics", Need.KEY, Effect.READS),
    TOPIC_LIST_TOPICS_INFO(Api.TOPIC, "listTopicsInfo", Need.KEY, Effect.READS),
    TOPIC_SET_PERMISSION(Api.TOPIC, "setPermission", Need.CHANGE_PERMISSION, Effect.CHANGES),
    TOPIC_REVOKE_PERMISSION(Api.TOPIC, "revokePermission", Need.CHANGE_PERMISSION, Effect.CHANGES),
    TOPIC_LIST_PERMISSION(Api.TOPIC, "listPermission", Need.DESCRIBE, Effect.READS),
    TOPIC_GET_PERMISSION(Api.TOPIC, "getPermission", Need.DESCRIBE, Effect.READS),
    TOPIC_GET_BIND_TOPICS(Api.TOPIC, "getBindTopics", Need.KEY, Effect.READS),
    TOPIC_SET_TOPIC_QUOTA(Api.TOPIC, "setTopicQuota", Need.CHANGE_TOPIC, Effect.CHANGES),
    TOPIC_QUERY_TOPIC_QUOTA(Api.TOPIC, "queryTopicQuota", Need.CHANGE_TOPIC, Effect.READS),
    TOPIC_DELETE_TOPIC_QUOTA(Api.TOPIC, "deleteTopicQuota", Need.CHANGE_TOPIC, Effect.CHANGES),
    TOPIC_CHANGE_TOPIC_OWNER_INFO(Api.TOPIC, "changeTopicOwnerInfo", Need.CHANGE_TOPIC, Effect.CHANGES),
    TOPIC_ADD_SUB_RESOURCE_NAME(Api.TOPIC, "addSubResourceName", Need.CHANGE_PERMISSION, Effect.CHANGES),
    TOPIC_CREATE_TOPIC_GROUP(Api.TOPIC, "createTopicGroup", Need.KEY, Effect.CHANGES),
    TOPIC_DESCRIBE_TOPIC_GROUP(Api.TOPIC, "describeTopicGroup", Need.KEY, Effect.READS),
    TOPIC_LIST_TOPIC_GROUP(Api.TOPIC, "listTopicGroup", Need.KEY, Effect.READS),
    TOPIC_LOOKUP_TOPICS(Api.TOPIC, "lookupTopics", Need.KEY, Effect.READS),
    TOPIC_MATCH_TOPICS(Api.TOPIC, "matchTopics", Need.KEY, Effect.READS),
    TOPIC_UPDATE_TOPIC_GROUP(Api.TOPIC, "updateTopicGroup", Need.OWNER, Effect.CHANGES),
    TOPIC_DELETE_TOPIC_GROUP(Api.TOPIC, "deleteTopicGroup", Need.OWNER, Effect.CHANGES),

    MESSAGE_PUT_MESSAGE(Api.MESSAGE, "putMessage", Need.PUT, Effect.CHANGES),
    MESSAGE_GET_MESSAGE(Api.MESSAGE, "getMessage", Need.GET, Effect.READS),
    MESSAGE_GET_TOPIC_OFFSET(Api.MESSAGE, "getTopicOffset", Need.DESCRIBE, Effect.READS),
    MESSAGE_GET_PARTITION_OFFSET(Api.MESSAGE, "getPartitionOffset", Need.DESCRIBE, Effect.READS),
    MESSAGE_GET_PARTITIONS_OFFSET(Api.MESSAGE, "getPartitionsOffset", Need.DESCRIBE, Effect.READS),
    MESSAGE_GET_SCHEDULE_INFO(Api.MESSAGE, "getScheduleInfo", Need.DESCRIBE, Effect.READS),
    MESSAGE_GET_TOPIC_CHECKPOINT(Api.MESSAGE, "getTopicCheckpoint", Need.DESCRIBE, Effect.READS),
    MESSAGE_GET_PARTITION_CHECKPOINT(Api.MESSAGE, "getPartitionCheckpoint", Need.DESCRIBE, Effect.READS),
    MESSAGE_PREPARE(Api.MESSAGE, "prepare", Need.PUT, Effect.CHANGES),
    MESSAGE_COMMIT(Api.MESSAGE, "commit", Need.PUT, Effect.CHANGES),
    MESSAGE_ROLLBACK(Api.MESSAGE, "rollback", Need.PUT, Effect.CHANGES),
    MESSAGE_GET_UNKOWN_STATE_TRANSACTION(Api.MESSAGE, "getUnkownStateTransaction", Need.PUT, Effect.READS),
    MESSAGE_DELETE_MESSAGE_INDEX(Api.MESSAGE, "deleteMessageIndex", Need.CHANGE_TOPIC, Effect.CHANGES),

    CONSUMER_LOCK_PARTITION(Api.CONSUMER, "lockPartition", Need.GET, Effect.CHANGES),
    CONSUMER_LOCK_WORKER(Api.CONSUMER, "lockWorker", Need.GET, Effect.CHANGES),
    CONSUMER_LOCK_WORKER_FOR_TOPICS(Api.CONSUMER, "lockWorkerForTopics", Need.GET, Effect.CHANGES),
    CONSUMER_CHECK_REGISTER(Api.CONSUMER, "checkRegister", Need.GET, Effect.READS),
    CONSUMER_UNLOCK_PARTITION(Api.CONSUMER, "unlockPartition", Need.GET, Effect.CHANGES),
    CONSUMER_RENEW(Api.CONSUMER, "renew", Need.GET, Effect.READS),
    CONSUMER_RENEW_FOR_TOPICS(Api.CONSUMER, "renewForTopics", Need.GET, Effect.READS),
    CONSUMER_UPDATE_OFFSET(Api.CONSUMER, "updateOffset", Need.GET, Effect.CHANGES),
    CONSUMER_QUERY_OFFSET(Api.CONSUMER, "queryOffset", Need.GET, Effect.READS),
    CONSUMER_QUERY_WORKER(Api.CONSUMER, "queryWorker", Need.GET, Effect.READS),
    CONSUMER_QUERY_WORKER_FOR_TOPICS(Api.CONSUMER, "queryWorkerForTopics", Need.GET, Effect.READS),
    CONSUMER_QUERY_ORG_OFFSET(Api.CONSUMER, "queryOrgOffset", Need.KEY, Effect.READS),
    CONSUMER_GET_WORKER_ID(Api.CONSUMER, "getWorkerId", Need.GET, Effect.READS),
    CONSUMER_DELETE_CONSUMER_GROUP(Api.CONSUMER, "deleteConsumerGroup", Need.CHANGE_TOPIC, Effect.CHANGES),

    METRIC_LIST_TOPICS(Api.METRIC, "listTopics", Need.KEY, Effect.READS),
    METRIC_QUERY_CONSUMER_GROUP(Api.METRIC, "queryConsumerGroup", Need.DESCRIBE, Effect.READS),
    METRIC_GET_TOPIC_CONSUME_UNIT(Api.METRIC, "getTopicConsumeUnit", Need.DESCRIBE, Effect.READS),
    METRIC_QUERY_TOPIC_CONSUME_UNIT(Api.METRIC, "queryTopicConsumeUnit", Need.DESCRIBE, Effect.READS),

    // Methods of the Talos services that this gateway refuses on purpose.
    TOPIC_CREATE_REPLICATION_TOPIC(Api.TOPIC, "createReplicationTopic", Need.KEY, Effect.CHANGES),
    TOPIC_CHANGE_REPLICATION_TOPIC_SOURCE_INFO(
            Api.TOPIC, "changeReplicationTopicSourceInfo", Need.CHANGE_TOPIC, Effect.CHANGES),

    QUOTA_SET_USER_QUOTA(Api.QUOTA, "setUserQuota", Need.ADMIN, Effect.CHANGES),
    QUOTA_LIST_USER_QUOTA(Api.QUOTA, "listUserQuota", Need.ADMIN, Effect.READS),
    QUOTA_QUERY_USER_QUOTA(Api.QUOTA, "queryUserQuota", Need.KEY, Effect.READS),
    QUOTA_DELETE_USER_QUOTA(Api.QUOTA, "deleteUserQuota", Need.ADMIN, Effect.CHANGES),
    QUOTA_APPLY_QUOTA(Api.QUOTA, "applyQuota", Need.OWNER, Effect.CHANGES),
    QUOTA_AUTO_APPLY_QUOTA(Api.QUOTA, "autoApplyQuota", Need.OWNER, Effect.CHANGES),
    QUOTA_LIST_QUOTA(Api.QUOTA, "listQuota", Need.KEY, Effect.READS),
    QUOTA_LIST_PENDING_QUOTA(Api.QUOTA, "listPendingQuota", Need.ADMIN, Effect.READS),
    QUOTA_APPROVE_QUOTA(Api.QUOTA, "approveQuota", Need.ADMIN, Effect.CHANGES),
    QUOTA_REVOKE_QUOTA(Api.QUOTA, "revokeQuota", Need.ADMIN, Effect.CHANGES),

    METRIC_GET_DATA_PREVIEW(Api.METRIC, "getDataPreview", Need.GET, Effect.READS);

    /** Where an operation is. */
    public enum Api {
        REST("REST"),
        /** Methods that every Talos service has. */
        BASE("TalosBaseService"),
        TOPIC("TopicService"),
        MESSAGE("MessageService"),
        CONSUMER("ConsumerService"),
        QUOTA("QuotaService"),
        METRIC("MetricService");

        private final String title;

        Api(String title) {
            this.title = title;
        }

        /** For a Talos service, its name in the IDL. */
        public String title() {
            return title;
        }
    }

    private enum Effect {
        READS,
        CHANGES
    }

    private static final Map<String, Operation> BY_NAME =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Operation::fullName, Function.identity()));

    private final Api api;
    private final String operationName;
    private final Need need;
    private final Effect effect;

    Operation(Api api, String operationName, Need need, Effect effect) {
        this.api = api;
        this.operationName = operationName;
        this.need = need;
        this.effect = effect;
    }

    /**
     * The method of a Talos service.
     *
     * @param service its name in the IDL
     * @throws IllegalArgumentException if the table has no such method
     */
    public static Operation ofTalos(String service, String method) {
        Operation operation = BY_NAME.get(service + "." + method);
        Operation found = operation == null ? BY_NAME.get(Api.BASE.title() + "." + method) : operation;
        if (found == null) {
            throw new IllegalArgumentException("the table of operations has no " + service + "." + method);
        }
        return found;
    }

    public Api api() {
        return api;
    }

    /** Its {@code operationId} in {@code openapi.yaml}, or the name of the method in the IDL. */
    public String operationName() {
        return operationName;
    }

    private String fullName() {
        return api.title() + "." + operationName;
    }

    public Need need() {
        return need;
    }

    /** Whether it may change something, so that it must not be made twice. */
    public boolean changes() {
        return effect == Effect.CHANGES;
    }

    /** Whether this gateway does not have it. */
    public boolean reserved() {
        return whyRefused() != null;
    }

    /** Why this gateway refuses it on purpose, as a sentence for the user; null if it has it. */
    public @Nullable String whyRefused() {
        return switch (this) {
            case TOPIC_CREATE_REPLICATION_TOPIC, TOPIC_CHANGE_REPLICATION_TOPIC_SOURCE_INFO ->
                "this gateway does not copy messages from other clusters, so that a replication topic would stay empty. Create a "
                        + "topic with createTopic, and fill it with a program that consumes the source topic and produces to it.";
            default -> null;
        };
    }
}
