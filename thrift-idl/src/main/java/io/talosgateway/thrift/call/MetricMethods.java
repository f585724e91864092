package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.GetDataPreviewRequest;
import io.talosgateway.thrift.GetDataPreviewResponse;
import io.talosgateway.thrift.GetTopicConsumeUnitRequest;
import io.talosgateway.thrift.GetTopicConsumeUnitResponse;
import io.talosgateway.thrift.ListTopicsInfoResponse;
import io.talosgateway.thrift.QueryConsumerGroupRequest;
import io.talosgateway.thrift.QueryConsumerGroupResponse;
import io.talosgateway.thrift.QueryTopicConsumeUnitRequest;
import io.talosgateway.thrift.QueryTopicConsumeUnitResponse;

import static io.talosgateway.thrift.call.ThriftMethod.method;
import static io.talosgateway.thrift.call.ThriftMethod.methodWithoutArgument;

/** The methods of {@code MetricService}; the {@code .thrift} file documents them. */
public final class MetricMethods {

    public static final ThriftMethod<Void, ListTopicsInfoResponse> LIST_TOPICS =
            methodWithoutArgument("listTopics", ListTopicsInfoResponse::new);
    public static final ThriftMethod<QueryConsumerGroupRequest, QueryConsumerGroupResponse> QUERY_CONSUMER_GROUP =
            method("queryConsumerGroup", QueryConsumerGroupRequest::new, QueryConsumerGroupResponse::new);
    public static final ThriftMethod<GetTopicConsumeUnitRequest, GetTopicConsumeUnitResponse> GET_TOPIC_CONSUME_UNIT =
            method("getTopicConsumeUnit", GetTopicConsumeUnitRequest::new, GetTopicConsumeUnitResponse::new);
    public static final ThriftMethod<QueryTopicConsumeUnitRequest, QueryTopicConsumeUnitResponse>
            QUERY_TOPIC_CONSUME_UNIT = method(
                    "queryTopicConsumeUnit", QueryTopicConsumeUnitRequest::new, QueryTopicConsumeUnitResponse::new);
    public static final ThriftMethod<GetDataPreviewRequest, GetDataPreviewResponse> GET_DATA_PREVIEW =
            method("getDataPreview", GetDataPreviewRequest::new, GetDataPreviewResponse::new);

    static final List<ThriftMethod<?, ?>> ALL = List.of(
            LIST_TOPICS, QUERY_CONSUMER_GROUP, GET_TOPIC_CONSUME_UNIT, QUERY_TOPIC_CONSUME_UNIT, GET_DATA_PREVIEW);

    private MetricMethods() {}
}
