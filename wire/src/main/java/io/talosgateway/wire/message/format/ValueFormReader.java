package io.talosgateway.wire.message.format;

import io.talosgateway.wire.message.ValueForm;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolDecorator;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.jspecify.annotations.Nullable;

/** Notices the field of {@link ValueFormWriter} while a struct {@code Message} skips it. For one struct and one thread. */
final class ValueFormReader extends TProtocolDecorator {

    private int depth;
    private boolean isNext;
    private @Nullable ValueForm form;

    ValueFormReader(TProtocol in) {
        super(in);
    }

    /** The form, once the struct has been read; null if it has none. */
    @Nullable
    ValueForm form() {
        return form;
    }

    @Override
    public TStruct readStructBegin() throws TException {
        depth++;
        return super.readStructBegin();
    }

    @Override
    public void readStructEnd() throws TException {
        super.readStructEnd();
        depth--;
    }

    @Override
    public TField readFieldBegin() throws TException {
        TField field = super.readFieldBegin();
        isNext = depth == 1 && field.id == ValueFormWriter.FIELD_ID && field.type == TType.BYTE;
        return field;
    }

    @Override
    public byte readByte() throws TException {
        byte value = super.readByte();
        if (isNext) {
            form = ValueForm.ofCode(value);
            isNext = false;
        }
        return value;
    }

    @Override
    protected void skipByte() throws TException {
        readByte();
    }
}
