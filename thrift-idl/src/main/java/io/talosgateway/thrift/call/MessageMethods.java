package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.CommitRequest;
import io.talosgateway.thrift.CommitResponse;
import io.talosgateway.thrift.DeleteMessageIndexRequest;
import io.talosgateway.thrift.GetCheckpointRequest;
import io.talosgateway.thrift.GetCheckpointResponse;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.GetPartitionCheckpointRequest;
import io.talosgateway.thrift.GetPartitionCheckpointResponse;
import io.talosgateway.thrift.GetPartitionOffsetRequest;
import io.talosgateway.thrift.GetPartitionOffsetResponse;
import io.talosgateway.thrift.GetPartitionsOffsetRequest;
import io.talosgateway.thrift.GetPartitionsOffsetResponse;
import io.talosgateway.thrift.GetScheduleInfoRequest;
import io.talosgateway.thrift.GetScheduleInfoResponse;
import io.talosgateway.thrift.GetTopicOffsetRequest;
import io.talosgateway.thrift.GetTopicOffsetResponse;
import io.talosgateway.thrift.GetUnkownStateTransactionRequest;
import io.talosgateway.thrift.GetUnkownStateTransactionResponse;
import io.talosgateway.thrift.PrepareRequest;
import io.talosgateway.thrift.PrepareResponse;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.RollbackRequest;
import io.talosgateway.thrift.RollbackResponse;

import static io.talosgateway.thrift.call.ThriftMethod.method;
import static io.talosgateway.thrift.call.ThriftMethod.voidMethod;

/** The methods of {@code MessageService}; the {@code .thrift} file documents them. */
public final class MessageMethods {

    public static final ThriftMethod<PutMessageRequest, PutMessageResponse> PUT_MESSAGE =
            method("putMessage", PutMessageRequest::new, PutMessageResponse::new);
    public static final ThriftMethod<GetMessageRequest, GetMessageResponse> GET_MESSAGE =
            method("getMessage", GetMessageRequest::new, GetMessageResponse::new);
    public static final ThriftMethod<GetTopicOffsetRequest, GetTopicOffsetResponse> GET_TOPIC_OFFSET =
            method("getTopicOffset", GetTopicOffsetRequest::new, GetTopicOffsetResponse::new);
    public static final ThriftMethod<GetPartitionOffsetRequest, GetPartitionOffsetResponse> GET_PARTITION_OFFSET =
            method("getPartitionOffset", GetPartitionOffsetRequest::new, GetPartitionOffsetResponse::new);
    public static final ThriftMethod<GetPartitionsOffsetRequest, GetPartitionsOffsetResponse> GET_PARTITIONS_OFFSET =
            method("getPartitionsOffset", GetPartitionsOffsetRequest::new, GetPartitionsOffsetResponse::new)
                    .withoutException();
    public static final ThriftMethod<GetScheduleInfoRequest, GetScheduleInfoResponse> GET_SCHEDULE_INFO =
            method("getScheduleInfo", GetScheduleInfoRequest::new, GetScheduleInfoResponse::new);
    public static final ThriftMethod<PrepareRequest, PrepareResponse> PREPARE =
            method("prepare", PrepareRequest::new, PrepareResponse::new);
    public static final ThriftMethod<CommitRequest, CommitResponse> COMMIT =
            method("commit", CommitRequest::new, CommitResponse::new);
    public static final ThriftMethod<RollbackRequest, RollbackResponse> ROLLBACK =
            method("rollback", RollbackRequest::new, RollbackResponse::new);
    public static final ThriftMethod<GetUnkownStateTransactionRequest, GetUnkownStateTransactionResponse>
            GET_UNKOWN_STATE_TRANSACTION = method(
                    "getUnkownStateTransaction",
                    GetUnkownStateTransactionRequest::new,
                    GetUnkownStateTransactionResponse::new);
    public static final ThriftMethod<GetCheckpointRequest, GetCheckpointResponse> GET_TOPIC_CHECKPOINT =
            method("getTopicCheckpoint", GetCheckpointRequest::new, GetCheckpointResponse::new);
    public static final ThriftMethod<GetPartitionCheckpointRequest, GetPartitionCheckpointResponse>
            GET_PARTITION_CHECKPOINT = method(
                    "getPartitionCheckpoint", GetPartitionCheckpointRequest::new, GetPartitionCheckpointResponse::new);
    public static final ThriftMethod<DeleteMessageIndexRequest, Void> DELETE_MESSAGE_INDEX =
            voidMethod("deleteMessageIndex", DeleteMessageIndexRequest::new);

    static final List<ThriftMethod<?, ?>> ALL = List.of(
            PUT_MESSAGE,
            GET_MESSAGE,
            GET_TOPIC_OFFSET,
            GET_PARTITION_OFFSET,
            GET_PARTITIONS_OFFSET,
            GET_SCHEDULE_INFO,
            PREPARE,
            COMMIT,
            ROLLBACK,
            GET_UNKOWN_STATE_TRANSACTION,
            GET_TOPIC_CHECKPOINT,
            GET_PARTITION_CHECKPOINT,
            DELETE_MESSAGE_INDEX);

    private MessageMethods() {}
}
