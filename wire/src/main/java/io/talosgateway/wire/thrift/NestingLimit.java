package io.talosgateway.wire.thrift;

import org.apache.thrift.TException;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolDecorator;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;

/**
 * Reads structs, lists, sets and maps that are in each other so deeply at most. libthrift skips what it does not know by
 * recursion without a limit: a few thousand bytes of fields within fields would overflow the stack. For one thread.
 */
public final class NestingLimit extends TProtocolDecorator {

    /** No message of any Talos service comes near. */
    public static final int MAX_DEPTH = 64;

    private int depth;

    public NestingLimit(TProtocol in) {
        super(in);
    }

    private void enter() throws TProtocolException {
        if (depth == MAX_DEPTH) {
            throw new TProtocolException(
                    TProtocolException.DEPTH_LIMIT, "it is nested more than " + MAX_DEPTH + " levels deep");
        }
        depth++;
    }

    @Override
    public TStruct readStructBegin() throws TException {
        enter();
        return super.readStructBegin();
    }

    @Override
    public void readStructEnd() throws TException {
        super.readStructEnd();
        depth--;
    }

    @Override
    public TList readListBegin() throws TException {
        enter();
        return super.readListBegin();
    }

    @Override
    public void readListEnd() throws TException {
        super.readListEnd();
        depth--;
    }

    @Override
    public TSet readSetBegin() throws TException {
        enter();
        return super.readSetBegin();
    }

    @Override
    public void readSetEnd() throws TException {
        super.readSetEnd();
        depth--;
    }

    @Override
    public TMap readMapBegin() throws TException {
        enter();
        return super.readMapBegin();
    }

    @Override
    public void readMapEnd() throws TException {
        super.readMapEnd();
        depth--;
    }
}
