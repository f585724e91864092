package io.talosgateway.rest.transaction;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class TransactionMarkTest {

    private static MessageBlock block(ByteSlice extraFields) {
        return new MessageBlock(1, 0, ByteSlice.utf8("x"), MessageBlock.NO_TIMESTAMP, extraFields);
    }

    /** The extra fields as Thrift's own code writes them. */
    private static ByteSlice extraFields() throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(64);
        TCompactProtocol out = new TCompactProtocol(buffer);
        out.writeStructBegin(new TStruct(""));
        out.writeFieldBegin(new TField("", TType.STRING, (short) 10));
        out.writeString("tag");
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        return new ByteSlice(buffer.getArray(), 0, buffer.length());
    }

    private static io.talosgateway.thrift.MessageBlock read(MessageBlock block) throws TException {
        ByteSlice extra = block.extraFields();
        io.talosgateway.thrift.MessageBlock fields = new io.talosgateway.thrift.MessageBlock();
        // Those that are required come first.
        io.talosgateway.thrift.MessageBlock required = new io.talosgateway.thrift.MessageBlock(
                0,
                1,
                io.talosgateway.thrift.MessageCompressionType.NONE,
                block.data().toByteBuffer());
        TMemoryBuffer buffer = new TMemoryBuffer(64);
        required.write(new TCompactProtocol(buffer));
        byte[] all = new byte[buffer.length() - 1 + extra.length()];
        System.arraycopy(buffer.getArray(), 0, all, 0, buffer.length() - 1);
        System.arraycopy(extra.array(), extra.offset(), all, buffer.length() - 1, extra.length());
        fields.read(new TCompactProtocol(new TMemoryInputTransport(all)));
        return fields;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 63, 64, 8_191, 8_192, Long.MAX_VALUE, -1, Long.MIN_VALUE, 0})
    void markIsWhatThriftReads(long id) throws TException {
        assertThat(read(TransactionMark.mark(block(ByteSlice.EMPTY), id)).getTransactionId())
                .isEqualTo(id);
    }

    @Test
    void otherFieldsStay() throws TException {
        MessageBlock marked = TransactionMark.mark(block(extraFields()), 300);
        TMemoryInputTransport bytes = new TMemoryInputTransport(
                marked.extraFields().array(),
                marked.extraFields().offset(),
                marked.extraFields().length());
        TCompactProtocol in = new TCompactProtocol(bytes);
        in.readStructBegin();
        assertThat(in.readFieldBegin().id).isEqualTo((short) 10);
        assertThat(in.readString()).isEqualTo("tag");
        assertThat(in.readFieldBegin().id).isEqualTo((short) 9);
        assertThat(in.readI64()).isEqualTo(300);
        assertThat(in.readFieldBegin().type).isZero();
        assertThat(bytes.getBytesRemainingInBuffer()).isZero();
    }

    /** Any client may put the mark of a transaction around its own messages. */
    @Test
    void otherMessagesWithTheMarkAreNotOfTheTransaction() {
        MessageBlock ofTransaction = new MessageBlock(1, 0, ByteSlice.utf8("ours"), 1, ByteSlice.EMPTY);
        MessageBlock forged = new MessageBlock(1, 0, ByteSlice.utf8("theirs"), 1, ByteSlice.EMPTY);
        assertThat(TransactionMark.isOf(TransactionMark.mark(ofTransaction, 7), 7, ofTransaction))
                .isTrue();
        assertThat(TransactionMark.isOf(TransactionMark.mark(forged, 7), 7, ofTransaction))
                .isFalse();
    }

    @Test
    void blockIsToldByItsMark() throws TException {
        MessageBlock marked = TransactionMark.mark(block(extraFields()), 300);
        assertThat(TransactionMark.isOf(marked, 300, block(ByteSlice.EMPTY))).isTrue();
        assertThat(TransactionMark.isOf(marked, 301, block(ByteSlice.EMPTY))).isFalse();
        assertThat(TransactionMark.isOf(marked, 44, block(ByteSlice.EMPTY))).isFalse();
        assertThat(TransactionMark.isOf(block(extraFields()), 300, block(ByteSlice.EMPTY)))
                .isFalse();
        assertThat(TransactionMark.isOf(block(ByteSlice.EMPTY), 300, block(ByteSlice.EMPTY)))
                .isFalse();
    }
}
