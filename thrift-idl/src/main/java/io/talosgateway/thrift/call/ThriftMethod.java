package io.talosgateway.thrift.call;

import java.util.function.Supplier;

import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TProtocol;
import org.jspecify.annotations.Nullable;

/**
 * One method of a Thrift service, with the generated structs of its argument and result.
 *
 * @param <A> the argument struct; {@link Void} for a method without one
 * @param <R> the result struct; {@link Void} for a void method
 */
public final class ThriftMethod<A, R> {

    private final String name;
    private final String argumentName;
    private final @Nullable Supplier<A> argument;
    private final @Nullable Supplier<R> result;
    private final boolean declaresException;

    private ThriftMethod(
            String name,
            String argumentName,
            @Nullable Supplier<A> argument,
            @Nullable Supplier<R> result,
            boolean declaresException) {
        this.name = name;
        this.argumentName = argumentName;
        this.argument = argument;
        this.result = result;
        this.declaresException = declaresException;
    }

    static <A extends TBase<A, ?>, R extends TBase<R, ?>> ThriftMethod<A, R> method(
            String name, Supplier<A> argument, Supplier<R> result) {
        return new ThriftMethod<>(name, "request", argument, result, true);
    }

    static <A extends TBase<A, ?>> ThriftMethod<A, Void> voidMethod(String name, Supplier<A> argument) {
        return new ThriftMethod<>(name, "request", argument, null, true);
    }

    static <R extends TBase<R, ?>> ThriftMethod<Void, R> methodWithoutArgument(String name, Supplier<R> result) {
        return new ThriftMethod<>(name, "request", null, result, true);
    }

    ThriftMethod<A, R> withArgumentNamed(String newName) {
        return new ThriftMethod<>(name, newName, argument, result, declaresException);
    }

    ThriftMethod<A, R> withoutException() {
        return new ThriftMethod<>(name, argumentName, argument, result, false);
    }

    /** The name on the wire. */
    public String name() {
        return name;
    }

    /** The name of the argument, which text protocols and error messages show. */
    public String argumentName() {
        return argumentName;
    }

    /** An empty argument struct, or null if the method has no argument. */
    public @Nullable A newArgument() {
        return argument == null ? null : argument.get();
    }

    /** An empty result struct, or null if the method is void. */
    public @Nullable R newResult() {
        return result == null ? null : result.get();
    }

    /** False for the one method whose result has no exception field in any SDK: its errors travel in the result. */
    public boolean declaresException() {
        return declaresException;
    }

    /** Reads the arguments of a call, after its message header; null if the method has none. */
    public @Nullable A readArguments(TProtocol in) throws TException {
        return ThriftEnvelope.readArguments(in, argument == null ? null : protocol -> read(argument, protocol));
    }

    /** Writes a whole call. */
    public void writeCall(TProtocol out, int sequenceId, @Nullable A value) throws TException {
        ThriftEnvelope.writeCall(out, name, sequenceId, argumentName, writer(value));
    }

    /** Writes a whole reply with a result; null for a void method. */
    public void writeResult(TProtocol out, int sequenceId, @Nullable R value) throws TException {
        ThriftEnvelope.writeResult(out, name, sequenceId, writer(value));
    }

    /**
     * Reads a whole reply; null for a void method.
     *
     * @throws io.talosgateway.thrift.GalaxyTalosException if the reply carries one
     * @throws org.apache.thrift.TApplicationException if the reply is an exception message or carries nothing
     */
    public @Nullable R readReply(TProtocol in) throws TException {
        return ThriftEnvelope.readReply(in, name, result == null ? null : protocol -> read(result, protocol));
    }

    private static <T> T read(Supplier<T> factory, TProtocol in) throws TException {
        T struct = factory.get();
        ((TBase<?, ?>) struct).read(in);
        return struct;
    }

    private static ThriftEnvelope.@Nullable StructWriter writer(@Nullable Object struct) {
        return struct == null ? null : ((TBase<?, ?>) struct)::write;
    }

    @Override
    public String toString() {
        return name;
    }
}
