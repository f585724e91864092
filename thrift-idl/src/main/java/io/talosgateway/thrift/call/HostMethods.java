package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.AskConsumerGroupRequest;
import io.talosgateway.thrift.AskConsumerGroupResponse;
import io.talosgateway.thrift.AskTransactionRequest;
import io.talosgateway.thrift.AskTransactionResponse;
import io.talosgateway.thrift.ChangeFencingTokenRequest;
import io.talosgateway.thrift.DeleteOldestMessagesRequest;
import io.talosgateway.thrift.DescribePartitionsRequest;
import io.talosgateway.thrift.DescribePartitionsResponse;
import io.talosgateway.thrift.FindOffsetRequest;
import io.talosgateway.thrift.FindOffsetResponse;
import io.talosgateway.thrift.GreetRequest;
import io.talosgateway.thrift.GreetResponse;
import io.talosgateway.thrift.ProveRequest;
import io.talosgateway.thrift.ProveResponse;
import io.talosgateway.thrift.TellUsedQuotasRequest;
import io.talosgateway.thrift.TransferGetMessageRequest;
import io.talosgateway.thrift.TransferGetMessageResponse;
import io.talosgateway.thrift.TransferPutMessageRequest;
import io.talosgateway.thrift.TransferPutMessageResponse;

import static io.talosgateway.thrift.call.ThriftMethod.method;
import static io.talosgateway.thrift.call.ThriftMethod.voidMethod;

/** The methods of {@code HostService}; the {@code .thrift} file documents them. */
public final class HostMethods {

    public static final ThriftMethod<GreetRequest, GreetResponse> GREET =
            method("greet", GreetRequest::new, GreetResponse::new);
    public static final ThriftMethod<ProveRequest, ProveResponse> PROVE =
            method("prove", ProveRequest::new, ProveResponse::new);
    public static final ThriftMethod<TransferPutMessageRequest, TransferPutMessageResponse> TRANSFER_PUT_MESSAGE =
            method("transferPutMessage", TransferPutMessageRequest::new, TransferPutMessageResponse::new);
    public static final ThriftMethod<TransferPutMessageRequest, TransferPutMessageResponse>
            TRANSFER_CONDITIONAL_PUT_MESSAGE = method(
                    "transferConditionalPutMessage", TransferPutMessageRequest::new, TransferPutMessageResponse::new);
    public static final ThriftMethod<TransferGetMessageRequest, TransferGetMessageResponse> TRANSFER_GET_MESSAGE =
            method("transferGetMessage", TransferGetMessageRequest::new, TransferGetMessageResponse::new);
    public static final ThriftMethod<DescribePartitionsRequest, DescribePartitionsResponse> DESCRIBE_PARTITIONS =
            method("describePartitions", DescribePartitionsRequest::new, DescribePartitionsResponse::new);
    public static final ThriftMethod<FindOffsetRequest, FindOffsetResponse> FIND_OFFSET =
            method("findOffset", FindOffsetRequest::new, FindOffsetResponse::new);
    public static final ThriftMethod<DeleteOldestMessagesRequest, Void> DELETE_OLDEST_MESSAGES =
            voidMethod("deleteOldestMessages", DeleteOldestMessagesRequest::new);
    public static final ThriftMethod<ChangeFencingTokenRequest, Void> CHANGE_FENCING_TOKEN =
            voidMethod("changeFencingToken", ChangeFencingTokenRequest::new);
    public static final ThriftMethod<AskConsumerGroupRequest, AskConsumerGroupResponse> ASK_CONSUMER_GROUP =
            method("askConsumerGroup", AskConsumerGroupRequest::new, AskConsumerGroupResponse::new);
    public static final ThriftMethod<AskTransactionRequest, AskTransactionResponse> ASK_TRANSACTION =
            method("askTransaction", AskTransactionRequest::new, AskTransactionResponse::new);
    public static final ThriftMethod<TellUsedQuotasRequest, Void> TELL_USED_QUOTAS =
            voidMethod("tellUsedQuotas", TellUsedQuotasRequest::new);

    static final List<ThriftMethod<?, ?>> ALL = List.of(
            GREET,
            PROVE,
            TRANSFER_PUT_MESSAGE,
            TRANSFER_CONDITIONAL_PUT_MESSAGE,
            TRANSFER_GET_MESSAGE,
            DESCRIBE_PARTITIONS,
            FIND_OFFSET,
            DELETE_OLDEST_MESSAGES,
            CHANGE_FENCING_TOKEN,
            ASK_CONSUMER_GROUP,
            ASK_TRANSACTION,
            TELL_USED_QUOTAS);

    private HostMethods() {}
}
