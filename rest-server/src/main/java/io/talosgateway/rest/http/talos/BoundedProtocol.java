package io.talosgateway.rest.http.talos;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolDecorator;
import org.apache.thrift.protocol.TSet;

/**
 * Reads a call whose lists, sets and maps have so many elements at most, all together. An element of one byte becomes an
 * object of a hundred, and an answer of hundreds more: the size of the body is no bound for that.
 */
final class BoundedProtocol extends TProtocolDecorator {

    private final int maxElements;
    private long elements;

    BoundedProtocol(TProtocol in, int maxElements) {
        super(in);
        this.maxElements = maxElements;
    }

    private void count(int more) {
        elements += Math.max(0, more);
        if (elements > maxElements) {
            throw new GatewayException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "The lists and maps of a call may have " + maxElements
                            + " elements together; ask for less at once.");
        }
    }

    @Override
    public TList readListBegin() throws TException {
        TList list = super.readListBegin();
        count(list.size);
        return list;
    }

    @Override
    public TSet readSetBegin() throws TException {
        TSet set = super.readSetBegin();
        count(set.size);
        return set;
    }

    @Override
    public TMap readMapBegin() throws TException {
        TMap map = super.readMapBegin();
        count(map.size);
        return map;
    }
}
