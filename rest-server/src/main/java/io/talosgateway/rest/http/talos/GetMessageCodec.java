package io.talosgateway.rest.http.talos;

import java.util.List;

import io.talosgateway.wire.message.StoredBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/** Writes {@code GetMessageResponse} by hand, because of its blocks: see {@link MessageBlockCodec}. */
final class GetMessageCodec {

    private static final TStruct STRUCT = new TStruct("GetMessageResponse");
    private static final TField BLOCKS = new TField("messageBlocks", TType.LIST, (short) 1);
    private static final TField MESSAGE_NUMBER = new TField("messageNumber", TType.I32, (short) 2);
    private static final TField UNHANDLED = new TField("unHandledMessageNumber", TType.I64, (short) 3);
    private static final TField SEQUENCE_ID = new TField("sequenceId", TType.STRING, (short) 4);
    private static final TField IS_TRANSFER = new TField("isTransfer", TType.BOOL, (short) 5);

    private GetMessageCodec() {}

    /**
     * @param unhandled messages behind the last returned one; null to leave it out
     * @param isTransfer whether another host served the request, so that the client looks where the partition is
     */
    static void write(
            TProtocol out,
            List<StoredBlock> blocks,
            int messageNumber,
            @Nullable Long unhandled,
            String sequenceId,
            boolean isTransfer)
            throws TException {
        out.writeStructBegin(STRUCT);
        out.writeFieldBegin(BLOCKS);
        out.writeListBegin(new TList(TType.STRUCT, blocks.size()));
        for (StoredBlock block : blocks) {
            MessageBlockCodec.write(out, block);
        }
        out.writeListEnd();
        out.writeFieldEnd();
        MessageBlockCodec.writeI32(out, MESSAGE_NUMBER, messageNumber);
        if (unhandled != null) {
            MessageBlockCodec.writeI64(out, UNHANDLED, unhandled);
        }
        out.writeFieldBegin(SEQUENCE_ID);
        out.writeString(sequenceId);
        out.writeFieldEnd();
        out.writeFieldBegin(IS_TRANSFER);
        out.writeBool(isTransfer);
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }
}
