package io.talosgateway.thrift.call;

import java.util.List;

import io.talosgateway.thrift.Version;

import static io.talosgateway.thrift.call.ThriftMethod.methodWithoutArgument;
import static io.talosgateway.thrift.call.ThriftMethod.voidMethod;

/** The methods of {@code TalosBaseService}; the {@code .thrift} file documents them. */
public final class BaseMethods {

    public static final ThriftMethod<Void, Version> GET_SERVICE_VERSION =
            methodWithoutArgument("getServiceVersion", Version::new);
    public static final ThriftMethod<Version, Void> VALID_CLIENT_VERSION =
            voidMethod("validClientVersion", Version::new).withArgumentNamed("clientVersion");

    static final List<ThriftMethod<?, ?>> ALL = List.of(GET_SERVICE_VERSION, VALID_CLIENT_VERSION);

    private BaseMethods() {}
}
