package io.talosgateway.rest.forwarding.thrift;

import java.util.Locale;

import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftMethod;

/** What is asked of other hosts. */
enum CallKind {
    PUT(HostMethods.TRANSFER_PUT_MESSAGE),
    /** A method of its own: a host of an earlier release would not see what the put expects. */
    CONDITIONAL_PUT(HostMethods.TRANSFER_CONDITIONAL_PUT_MESSAGE),
    GET(HostMethods.TRANSFER_GET_MESSAGE),
    DESCRIBE(HostMethods.DESCRIBE_PARTITIONS),
    OFFSET_AT(HostMethods.FIND_OFFSET),
    TRIM(HostMethods.DELETE_OLDEST_MESSAGES),
    FENCING_TOKEN(HostMethods.CHANGE_FENCING_TOKEN),
    GROUP(HostMethods.ASK_CONSUMER_GROUP),
    /** A host of an earlier release refuses it. */
    TRANSACTION(HostMethods.ASK_TRANSACTION),
    QUOTAS(HostMethods.TELL_USED_QUOTAS);

    private final String methodName;

    CallKind(ThriftMethod<?, ?> method) {
        this.methodName = method.name();
    }

    /** The name of the method on the wire. */
    String methodName() {
        return methodName;
    }

    /** The name in metrics. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
