package io.talosgateway.thrift.call;

import io.talosgateway.thrift.GalaxyTalosException;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of a Thrift call: message header, argument struct with one field, result struct with a result in field 0
 * or an exception in field 1. Every method of the Talos services has this shape.
 *
 * <p>A body is read or written by a function, so that a hot method can have its own codec where the others use generated
 * structs.
 */
public final class ThriftEnvelope {

    private static final short ARGUMENT_FIELD = 1;
    private static final short SUCCESS_FIELD = 0;
    private static final short EXCEPTION_FIELD = 1;

    private ThriftEnvelope() {}

    /** Reads one struct from a protocol positioned at its start. */
    @FunctionalInterface
    public interface StructReader<T> {
        T read(TProtocol in) throws TException;
    }

    /** Writes one struct. */
    @FunctionalInterface
    public interface StructWriter {
        void write(TProtocol out) throws TException;
    }

    /**
     * Reads the arguments of a call, after its message header.
     *
     * @param reader reads the argument struct, or null for a method without one
     * @return what the reader returned, or null if there is none
     * @throws TProtocolException if the method has an argument and the call has none
     */
    public static <A> @Nullable A readArguments(TProtocol in, @Nullable StructReader<A> reader) throws TException {
        A argument = null;
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (reader != null && field.id == ARGUMENT_FIELD && field.type == TType.STRUCT) {
                argument = reader.read(in);
            } else {
                TProtocolUtil.skip(in, field.type);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        in.readMessageEnd();
        if (reader != null && argument == null) {
            throw new TProtocolException(TProtocolException.INVALID_DATA, "the call carries no argument (field 1)");
        }
        return argument;
    }

    /** Writes a whole call; {@code argument} is null for a method without one. */
    public static void writeCall(
            TProtocol out, String method, int sequenceId, String argumentName, @Nullable StructWriter argument)
            throws TException {
        out.writeMessageBegin(new TMessage(method, TMessageType.CALL, sequenceId));
        out.writeStructBegin(new TStruct(method + "_args"));
        if (argument != null) {
            writeStructField(out, argumentName, ARGUMENT_FIELD, argument);
        }
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeMessageEnd();
    }

    /** Writes a whole reply with a result; {@code result} is null for a void method. */
    public static void writeResult(TProtocol out, String method, int sequenceId, @Nullable StructWriter result)
            throws TException {
        writeReply(out, method, sequenceId, "success", SUCCESS_FIELD, result);
    }

    /** Writes a whole reply with the exception that every method declares. */
    public static void writeException(TProtocol out, String method, int sequenceId, GalaxyTalosException exception)
            throws TException {
        writeReply(out, method, sequenceId, "e", EXCEPTION_FIELD, exception::write);
    }

    /**
     * Writes a whole reply with a result and an exception. The Java SDKs look at the result first, the Go SDK at the
     * exception first: for a failure that the former expect inside the result and the latter outside.
     */
    public static void writeResultAndException(
            TProtocol out, String method, int sequenceId, StructWriter result, GalaxyTalosException exception)
            throws TException {
        out.writeMessageBegin(new TMessage(method, TMessageType.REPLY, sequenceId));
        out.writeStructBegin(new TStruct(method + "_result"));
        writeStructField(out, "success", SUCCESS_FIELD, result);
        writeStructField(out, "e", EXCEPTION_FIELD, exception::write);
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeMessageEnd();
    }

    /** Writes the reply for a call that no method of the service could take, such as an unknown one. */
    public static void writeApplicationException(
            TProtocol out, String method, int sequenceId, TApplicationException exception) throws TException {
        out.writeMessageBegin(new TMessage(method, TMessageType.EXCEPTION, sequenceId));
        exception.write(out);
        out.writeMessageEnd();
    }

    /**
     * Reads a whole reply.
     *
     * @param reader reads the result struct, or null for a void method
     * @return the result, or null for a void method
     * @throws GalaxyTalosException if the reply carries one
     * @throws TApplicationException if the reply is an exception message or carries nothing
     */
    public static <R> @Nullable R readReply(TProtocol in, String method, @Nullable StructReader<R> reader)
            throws TException {
        TMessage message = in.readMessageBegin();
        if (message.type == TMessageType.EXCEPTION) {
            throw TApplicationException.readFrom(in);
        }
        return readReplyBody(in, method, reader);
    }

    /**
     * Reads a reply that is not an exception message, after its message header.
     *
     * @param reader reads the result struct, or null for a void method
     * @return the result, or null for a void method
     * @throws GalaxyTalosException if the reply carries one
     * @throws TApplicationException if the reply carries nothing
     */
    public static <R> @Nullable R readReplyBody(TProtocol in, String method, @Nullable StructReader<R> reader)
            throws TException {
        R result = null;
        GalaxyTalosException exception = null;
        in.readStructBegin();
        for (TField field = in.readFieldBegin(); field.type != TType.STOP; field = in.readFieldBegin()) {
            if (field.id == SUCCESS_FIELD && field.type == TType.STRUCT && reader != null) {
                result = reader.read(in);
            } else if (field.id == EXCEPTION_FIELD && field.type == TType.STRUCT) {
                exception = new GalaxyTalosException();
                exception.read(in);
            } else {
                TProtocolUtil.skip(in, field.type);
            }
            in.readFieldEnd();
        }
        in.readStructEnd();
        in.readMessageEnd();
        if (exception != null) {
            throw exception;
        }
        if (reader != null && result == null) {
            throw new TApplicationException(TApplicationException.MISSING_RESULT, method + " failed: unknown result");
        }
        return result;
    }

    private static void writeReply(
            TProtocol out, String method, int sequenceId, String fieldName, short fieldId, @Nullable StructWriter body)
            throws TException {
        out.writeMessageBegin(new TMessage(method, TMessageType.REPLY, sequenceId));
        out.writeStructBegin(new TStruct(method + "_result"));
        if (body != null) {
            writeStructField(out, fieldName, fieldId, body);
        }
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeMessageEnd();
    }

    private static void writeStructField(TProtocol out, String name, short id, StructWriter body) throws TException {
        out.writeFieldBegin(new TField(name, TType.STRUCT, id));
        body.write(out);
        out.writeFieldEnd();
    }
}
