package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.CheckRegisterRequest;
import io.talosgateway.thrift.CheckRegisterResponse;
import io.talosgateway.thrift.DeleteConsumerGroupRequest;
import io.talosgateway.thrift.GetWorkerIdRequest;
import io.talosgateway.thrift.GetWorkerIdResponse;
import io.talosgateway.thrift.LockPartitionRequest;
import io.talosgateway.thrift.LockPartitionResponse;
import io.talosgateway.thrift.LockWorkerRequest;
import io.talosgateway.thrift.LockWorkerResponse;
import io.talosgateway.thrift.QueryOffsetRequest;
import io.talosgateway.thrift.QueryOffsetResponse;
import io.talosgateway.thrift.QueryOrgOffsetRequest;
import io.talosgateway.thrift.QueryOrgOffsetResponse;
import io.talosgateway.thrift.QueryWorkerRequest;
import io.talosgateway.thrift.QueryWorkerResponse;
import io.talosgateway.thrift.RenewRequest;
import io.talosgateway.thrift.RenewResponse;
import io.talosgateway.thrift.TopicsLockWorkerRequest;
import io.talosgateway.thrift.TopicsLockWorkerResponse;
import io.talosgateway.thrift.TopicsQueryWorkerRequest;
import io.talosgateway.thrift.TopicsQueryWorkerResponse;
import io.talosgateway.thrift.TopicsRenewRequest;
import io.talosgateway.thrift.TopicsRenewResponse;
import io.talosgateway.thrift.UnlockPartitionRequest;
import io.talosgateway.thrift.UpdateOffsetRequest;
import io.talosgateway.thrift.UpdateOffsetResponse;

import static io.talosgateway.thrift.call.ThriftMethod.method;
import static io.talosgateway.thrift.call.ThriftMethod.voidMethod;

/** The methods of {@code ConsumerService}; the {@code .thrift} file documents them. */
public final class ConsumerMethods {

    public static final ThriftMethod<LockPartitionRequest, LockPartitionResponse> LOCK_PARTITION =
            method("lockPartition", LockPartitionRequest::new, LockPartitionResponse::new);
    public static final ThriftMethod<LockWorkerRequest, LockWorkerResponse> LOCK_WORKER =
            method("lockWorker", LockWorkerRequest::new, LockWorkerResponse::new);
    public static final ThriftMethod<TopicsLockWorkerRequest, TopicsLockWorkerResponse> LOCK_WORKER_FOR_TOPICS =
            method("lockWorkerForTopics", TopicsLockWorkerRequest::new, TopicsLockWorkerResponse::new);
    public static final ThriftMethod<CheckRegisterRequest, CheckRegisterResponse> CHECK_REGISTER =
            method("checkRegister", CheckRegisterRequest::new, CheckRegisterResponse::new);
    public static final ThriftMethod<UnlockPartitionRequest, Void> UNLOCK_PARTITION =
            voidMethod("unlockPartition", UnlockPartitionRequest::new);
    public static final ThriftMethod<RenewRequest, RenewResponse> RENEW =
            method("renew", RenewRequest::new, RenewResponse::new);
    public static final ThriftMethod<TopicsRenewRequest, TopicsRenewResponse> RENEW_FOR_TOPICS =
            method("renewForTopics", TopicsRenewRequest::new, TopicsRenewResponse::new);
    public static final ThriftMethod<UpdateOffsetRequest, UpdateOffsetResponse> UPDATE_OFFSET =
            method("updateOffset", UpdateOffsetRequest::new, UpdateOffsetResponse::new);
    public static final ThriftMethod<QueryOffsetRequest, QueryOffsetResponse> QUERY_OFFSET =
            method("queryOffset", QueryOffsetRequest::new, QueryOffsetResponse::new);
    public static final ThriftMethod<QueryWorkerRequest, QueryWorkerResponse> QUERY_WORKER =
            method("queryWorker", QueryWorkerRequest::new, QueryWorkerResponse::new);
    public static final ThriftMethod<TopicsQueryWorkerRequest, TopicsQueryWorkerResponse> QUERY_WORKER_FOR_TOPICS =
            method("queryWorkerForTopics", TopicsQueryWorkerRequest::new, TopicsQueryWorkerResponse::new);
    public static final ThriftMethod<QueryOrgOffsetRequest, QueryOrgOffsetResponse> QUERY_ORG_OFFSET =
            method("queryOrgOffset", QueryOrgOffsetRequest::new, QueryOrgOffsetResponse::new);
    public static final ThriftMethod<GetWorkerIdRequest, GetWorkerIdResponse> GET_WORKER_ID =
            method("getWorkerId", GetWorkerIdRequest::new, GetWorkerIdResponse::new);
    public static final ThriftMethod<DeleteConsumerGroupRequest, Void> DELETE_CONSUMER_GROUP =
            voidMethod("deleteConsumerGroup", DeleteConsumerGroupRequest::new);

    static final List<ThriftMethod<?, ?>> ALL = List.of(
            LOCK_PARTITION,
            LOCK_WORKER,
            LOCK_WORKER_FOR_TOPICS,
            CHECK_REGISTER,
            UNLOCK_PARTITION,
            RENEW,
            RENEW_FOR_TOPICS,
            UPDATE_OFFSET,
            QUERY_OFFSET,
            QUERY_WORKER,
            QUERY_WORKER_FOR_TOPICS,
            QUERY_ORG_OFFSET,
            GET_WORKER_ID,
            DELETE_CONSUMER_GROUP);

    private ConsumerMethods() {}
}
