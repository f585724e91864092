package io.talosgateway.rest.http.talos;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ThriftEnvelope.StructWriter;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import org.apache.thrift.TBase;
import org.jspecify.annotations.Nullable;

/** The methods that this gateway has, by service and name. Filled while wiring, then read by any thread. */
final class TalosMethods {

    /** Reads its arguments from the call, and completes with what writes the result. */
    @FunctionalInterface
    interface RawMethod {
        CompletableFuture<Reply> invoke(TalosCall call);
    }

    /** A method in terms of generated structs. */
    @FunctionalInterface
    interface StructMethod<A, R> {
        CompletableFuture<R> invoke(TalosCall call, A argument);
    }

    /**
     * A result; null for a void method.
     *
     * @param exception sent beside the result, for the method whose failures the SDKs look for in different places
     * @param outcome what the call is counted under
     */
    record Reply(@Nullable StructWriter result, @Nullable GalaxyTalosException exception, String outcome) {

        Reply(@Nullable StructWriter result) {
            this(result, null, Answer.OK);
        }
    }

    /** A method and what it asks of its caller. */
    record Registered(Operation operation, RawMethod implementation) {}

    private final Map<ThriftService, Map<String, Registered>> methods = new EnumMap<>(ThriftService.class);

    void addRaw(ThriftService service, ThriftMethod<?, ?> method, RawMethod implementation) {
        if (service.method(method.name()) == null) {
            throw new IllegalArgumentException(service + " has no method " + method);
        }
        Operation operation = Operation.ofTalos(service.idlName(), method.name());
        if (operation.reserved()) {
            throw new IllegalArgumentException(operation + " is said to be missing");
        }
        methods.computeIfAbsent(service, key -> new HashMap<>())
                .put(method.name(), new Registered(operation, implementation));
    }

    <A, R> void add(ThriftService service, ThriftMethod<A, R> method, StructMethod<A, R> implementation) {
        addRaw(service, method, call -> {
            @SuppressWarnings(
                    "NullAway") // null for a method without argument, whose implementation does not look at it
            CompletableFuture<R> result =
                    implementation.invoke(call, TalosCall.decode(() -> method.readArguments(call.in())));
            return result.thenApply(TalosMethods::reply);
        });
    }

    private static <R> Reply reply(@Nullable R result) {
        return new Reply(result == null ? null : ((TBase<?, ?>) result)::write);
    }

    /** The method, or null if this gateway does not have it. */
    @Nullable
    Registered find(ThriftService service, String name) {
        return methods.getOrDefault(service, Map.of()).get(name);
    }
}
