package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.AddSubResourceNameRequest;
import io.talosgateway.thrift.ChangeReplicationTopicSourceInfoRequest;
import io.talosgateway.thrift.ChangeTopicAttributeRequest;
import io.talosgateway.thrift.ChangeTopicOwnerInfoRequest;
import io.talosgateway.thrift.CreateReplicationTopicRequest;
import io.talosgateway.thrift.CreateTopicGroupRequest;
import io.talosgateway.thrift.CreateTopicGroupResponse;
import io.talosgateway.thrift.CreateTopicRequest;
import io.talosgateway.thrift.CreateTopicResponse;
import io.talosgateway.thrift.DeleteTopicAttributeRequest;
import io.talosgateway.thrift.DeleteTopicGroupRequest;
import io.talosgateway.thrift.DeleteTopicQuotaRequest;
import io.talosgateway.thrift.DeleteTopicRequest;
import io.talosgateway.thrift.DescribeTopicGroupRequest;
import io.talosgateway.thrift.DescribeTopicGroupResponse;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.DescribeTopicResponse;
import io.talosgateway.thrift.GetDescribeInfoRequest;
import io.talosgateway.thrift.GetDescribeInfoResponse;
import io.talosgateway.thrift.GetPermissionRequest;
import io.talosgateway.thrift.GetPermissionResponse;
import io.talosgateway.thrift.GetTopicAttributeRequest;
import io.talosgateway.thrift.GetTopicAttributeResponse;
import io.talosgateway.thrift.ListPermissionRequest;
import io.talosgateway.thrift.ListPermissionResponse;
import io.talosgateway.thrift.ListTopicGroupResponse;
import io.talosgateway.thrift.ListTopicsInfoResponse;
import io.talosgateway.thrift.ListTopicsResponse;
import io.talosgateway.thrift.LookupTopicsRequest;
import io.talosgateway.thrift.LookupTopicsResponse;
import io.talosgateway.thrift.MatchTopicsRequest;
import io.talosgateway.thrift.MatchTopicsResponse;
import io.talosgateway.thrift.QueryTopicQuotaRequest;
import io.talosgateway.thrift.QueryTopicQuotaResponse;
import io.talosgateway.thrift.RevokePermissionRequest;
import io.talosgateway.thrift.SetPermissionRequest;
import io.talosgateway.thrift.SetTopicQuotaRequest;
import io.talosgateway.thrift.UpdateTopicGroupRequest;

import static io.talosgateway.thrift.call.ThriftMethod.method;
import static io.talosgateway.thrift.call.ThriftMethod.methodWithoutArgument;
import static io.talosgateway.thrift.call.ThriftMethod.voidMethod;

/** The methods of {@code TopicService}; the {@code .thrift} file documents them. */
public final class TopicMethods {

    public static final ThriftMethod<CreateTopicRequest, CreateTopicResponse> CREATE_TOPIC =
            method("createTopic", CreateTopicRequest::new, CreateTopicResponse::new);
    public static final ThriftMethod<CreateReplicationTopicRequest, CreateTopicResponse> CREATE_REPLICATION_TOPIC =
            method("createReplicationTopic", CreateReplicationTopicRequest::new, CreateTopicResponse::new);
    public static final ThriftMethod<CreateTopicGroupRequest, CreateTopicGroupResponse> CREATE_TOPIC_GROUP =
            method("createTopicGroup", CreateTopicGroupRequest::new, CreateTopicGroupResponse::new);
    public static final ThriftMethod<DescribeTopicGroupRequest, DescribeTopicGroupResponse> DESCRIBE_TOPIC_GROUP =
            method("describeTopicGroup", DescribeTopicGroupRequest::new, DescribeTopicGroupResponse::new);
    public static final ThriftMethod<DeleteTopicGroupRequest, Void> DELETE_TOPIC_GROUP =
            voidMethod("deleteTopicGroup", DeleteTopicGroupRequest::new);
    public static final ThriftMethod<Void, ListTopicGroupResponse> LIST_TOPIC_GROUP =
            methodWithoutArgument("listTopicGroup", ListTopicGroupResponse::new);
    public static final ThriftMethod<UpdateTopicGroupRequest, Void> UPDATE_TOPIC_GROUP =
            voidMethod("updateTopicGroup", UpdateTopicGroupRequest::new);
    public static final ThriftMethod<DeleteTopicRequest, Void> DELETE_TOPIC =
            voidMethod("deleteTopic", DeleteTopicRequest::new);
    public static final ThriftMethod<LookupTopicsRequest, LookupTopicsResponse> LOOKUP_TOPICS =
            method("lookupTopics", LookupTopicsRequest::new, LookupTopicsResponse::new);
    public static final ThriftMethod<MatchTopicsRequest, MatchTopicsResponse> MATCH_TOPICS =
            method("matchTopics", MatchTopicsRequest::new, MatchTopicsResponse::new);
    public static final ThriftMethod<ChangeTopicAttributeRequest, Void> CHANGE_TOPIC_ATTRIBUTE =
            voidMethod("changeTopicAttribute", ChangeTopicAttributeRequest::new);
    public static final ThriftMethod<DeleteTopicAttributeRequest, Void> DELETE_TOPIC_ATTRIBUTE =
            voidMethod("deleteTopicAttribute", DeleteTopicAttributeRequest::new);
    public static final ThriftMethod<ChangeTopicOwnerInfoRequest, Void> CHANGE_TOPIC_OWNER_INFO =
            voidMethod("changeTopicOwnerInfo", ChangeTopicOwnerInfoRequest::new);
    public static final ThriftMethod<ChangeReplicationTopicSourceInfoRequest, Void>
            CHANGE_REPLICATION_TOPIC_SOURCE_INFO =
                    voidMethod("changeReplicationTopicSourceInfo", ChangeReplicationTopicSourceInfoRequest::new);
    public static final ThriftMethod<DescribeTopicRequest, DescribeTopicResponse> DESCRIBE_TOPIC =
            method("describeTopic", DescribeTopicRequest::new, DescribeTopicResponse::new);
    public static final ThriftMethod<GetDescribeInfoRequest, GetDescribeInfoResponse> GET_DESCRIBE_INFO =
            method("getDescribeInfo", GetDescribeInfoRequest::new, GetDescribeInfoResponse::new);
    public static final ThriftMethod<GetTopicAttributeRequest, GetTopicAttributeResponse> GET_TOPIC_ATTRIBUTE =
            method("getTopicAttribute", GetTopicAttributeRequest::new, GetTopicAttributeResponse::new);
    public static final ThriftMethod<Void, ListTopicsInfoResponse> LIST_TOPICS_INFO =
            methodWithoutArgument("listTopicsInfo", ListTopicsInfoResponse::new);
    public static final ThriftMethod<Void, ListTopicsResponse> LIST_TOPICS =
            methodWithoutArgument("listTopics", ListTopicsResponse::new);
    public static final ThriftMethod<Void, ListTopicsResponse> GET_BIND_TOPICS =
            methodWithoutArgument("getBindTopics", ListTopicsResponse::new);
    public static final ThriftMethod<SetTopicQuotaRequest, Void> SET_TOPIC_QUOTA =
            voidMethod("setTopicQuota", SetTopicQuotaRequest::new);
    public static final ThriftMethod<QueryTopicQuotaRequest, QueryTopicQuotaResponse> QUERY_TOPIC_QUOTA =
            method("queryTopicQuota", QueryTopicQuotaRequest::new, QueryTopicQuotaResponse::new);
    public static final ThriftMethod<DeleteTopicQuotaRequest, Void> DELETE_TOPIC_QUOTA =
            voidMethod("deleteTopicQuota", DeleteTopicQuotaRequest::new);
    public static final ThriftMethod<SetPermissionRequest, Void> SET_PERMISSION =
            voidMethod("setPermission", SetPermissionRequest::new);
    public static final ThriftMethod<RevokePermissionRequest, Void> REVOKE_PERMISSION =
            voidMethod("revokePermission", RevokePermissionRequest::new);
    public static final ThriftMethod<ListPermissionRequest, ListPermissionResponse> LIST_PERMISSION =
            method("listPermission", ListPermissionRequest::new, ListPermissionResponse::new);
    public static final ThriftMethod<GetPermissionRequest, GetPermissionResponse> GET_PERMISSION =
            method("getPermission", GetPermissionRequest::new, GetPermissionResponse::new);
    public static final ThriftMethod<AddSubResourceNameRequest, Void> ADD_SUB_RESOURCE_NAME =
            voidMethod("addSubResourceName", AddSubResourceNameRequest::new);

    static final List<ThriftMethod<?, ?>> ALL = List.of(
            CREATE_TOPIC,
            CREATE_REPLICATION_TOPIC,
            CREATE_TOPIC_GROUP,
            DESCRIBE_TOPIC_GROUP,
            DELETE_TOPIC_GROUP,
            LIST_TOPIC_GROUP,
            UPDATE_TOPIC_GROUP,
            DELETE_TOPIC,
            LOOKUP_TOPICS,
            MATCH_TOPICS,
            CHANGE_TOPIC_ATTRIBUTE,
            DELETE_TOPIC_ATTRIBUTE,
            CHANGE_TOPIC_OWNER_INFO,
            CHANGE_REPLICATION_TOPIC_SOURCE_INFO,
            DESCRIBE_TOPIC,
            GET_DESCRIBE_INFO,
            GET_TOPIC_ATTRIBUTE,
            LIST_TOPICS_INFO,
            LIST_TOPICS,
            GET_BIND_TOPICS,
            SET_TOPIC_QUOTA,
            QUERY_TOPIC_QUOTA,
            DELETE_TOPIC_QUOTA,
            SET_PERMISSION,
            REVOKE_PERMISSION,
            LIST_PERMISSION,
            GET_PERMISSION,
            ADD_SUB_RESOURCE_NAME);

    private TopicMethods() {}
}
