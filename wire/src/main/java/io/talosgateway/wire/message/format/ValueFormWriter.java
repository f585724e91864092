package io.talosgateway.wire.message.format;

import io.talosgateway.wire.message.ValueForm;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolDecorator;
import org.apache.thrift.protocol.TType;

/**
 * Writes one struct {@code Message} with a field that the IDL of Talos does not have: the form of the value. Talos SDKs skip
 * fields that they do not know. For one struct and one thread.
 */
final class ValueFormWriter extends TProtocolDecorator {

    /** Far above the fields of the IDL, so that fields that Talos adds do not meet it. */
    static final short FIELD_ID = 100;

    private final ValueForm form;

    ValueFormWriter(TProtocol out, ValueForm form) {
        super(out);
        this.form = form;
    }

    @Override
    public void writeFieldStop() throws TException {
        writeFieldBegin(new TField("valueForm", TType.BYTE, FIELD_ID));
        writeByte(form.code());
        writeFieldEnd();
        super.writeFieldStop();
    }
}
