package io.talosgateway.rest.hostprotocol;

import java.util.Arrays;

import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class HostFrameTest {

    /** libthrift skips what it does not know by recursion: the thread that serves all hosts would end. */
    @Test
    void fieldsWithinFieldsAreRefused() throws Exception {
        byte[] head = {(byte) 0x82, 0x21, 0, 5, 'g', 'r', 'e', 'e', 't'};
        byte[] body = Arrays.copyOf(head, 50_000);
        Arrays.fill(body, head.length, body.length, (byte) 0x2c);
        TProtocol in = HostFrame.reading(new ByteSlice(body));
        in.readMessageBegin();
        assertThatThrownBy(() -> HostMethods.GREET.readArguments(in))
                .isInstanceOf(TProtocolException.class)
                .hasMessageContaining("nested more than 64 levels deep");
    }
}
