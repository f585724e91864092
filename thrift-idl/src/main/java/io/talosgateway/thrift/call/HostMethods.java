package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.HostCall;
import io.talosgateway.thrift.PingResponse;
import io.talosgateway.thrift.TransferGetMessageRequest;
import io.talosgateway.thrift.TransferGetMessageResponse;
import io.talosgateway.thrift.TransferPutMessageRequest;
import io.talosgateway.thrift.TransferPutMessageResponse;

import static io.talosgateway.thrift.call.ThriftMethod.method;

/** The methods of {@code HostService}; the {@code .thrift} file documents them. */
public final class HostMethods {

    public static final ThriftMethod<TransferPutMessageRequest, TransferPutMessageResponse> TRANSFER_PUT_MESSAGE =
            method("transferPutMessage", TransferPutMessageRequest::new, TransferPutMessageResponse::new);
    public static final ThriftMethod<TransferGetMessageRequest, TransferGetMessageResponse> TRANSFER_GET_MESSAGE =
            method("transferGetMessage", TransferGetMessageRequest::new, TransferGetMessageResponse::new);
    public static final ThriftMethod<HostCall, PingResponse> PING =
            method("ping", HostCall::new, PingResponse::new).withArgumentNamed("call");

    static final List<ThriftMethod<?, ?>> ALL = List.of(TRANSFER_PUT_MESSAGE, TRANSFER_GET_MESSAGE, PING);

    private HostMethods() {}
}
