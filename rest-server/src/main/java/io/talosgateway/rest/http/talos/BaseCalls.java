package io.talosgateway.rest.http.talos;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.thrift.Version;
import io.talosgateway.thrift.call.BaseMethods;
import io.talosgateway.thrift.call.ThriftService;

/** The methods that every service has. */
public final class BaseCalls {

    /** The version of the Talos service whose methods this gateway speaks. */
    private static final Version VERSION = new Version(2, 5, 0, "20261120").setDetails("Talos Gateway");

    void register(TalosMethods methods) {
        for (ThriftService service : ThriftService.values()) {
            methods.add(service, BaseMethods.GET_SERVICE_VERSION, (call, nothing) -> {
                call.exchange().setRequestClass(RequestClass.DESCRIBE);
                return CompletableFuture.completedFuture(VERSION.deepCopy());
            });
            // Every version of the SDKs is welcome.
            methods.add(service, BaseMethods.VALID_CLIENT_VERSION, (call, version) -> {
                call.exchange().setRequestClass(RequestClass.DESCRIBE);
                return CompletableFuture.completedFuture(null);
            });
        }
    }
}
