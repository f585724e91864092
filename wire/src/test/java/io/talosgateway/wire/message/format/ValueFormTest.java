package io.talosgateway.wire.message.format;

import java.util.HexFormat;
import java.util.List;

import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.message.ValueForm;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class ValueFormTest {

    private static final int LIMIT = 1 << 20;

    private static Message message(ValueForm form) {
        return new Message("k", "s", ByteSlice.utf8("{\"a\":1}"), 5L, null, Message.UTF8, null, null, form);
    }

    private static MessageBlock encoded(MessageVersion version, Message... messages) {
        return MessageEncoder.encode(List.of(messages), version, Compression.NONE);
    }

    private static List<Message> decoded(MessageBlock block) throws UndecodableBlockException {
        return MessageDecoder.decode(new StoredBlock(7, 9, block), LIMIT);
    }

    private static byte[] struct(MessageBlock block) {
        byte[] data = block.data().toByteArray();
        int header = MessageVersion.HEADER_BYTES + Integer.BYTES;
        byte[] struct = new byte[data.length - header];
        System.arraycopy(data, header, struct, 0, struct.length);
        return struct;
    }

    @ParameterizedTest
    @EnumSource
    void theFormIsKeptWithTheMessage(ValueForm form) throws Exception {
        List<Message> messages = decoded(encoded(MessageVersion.V3, message(form), message(null), message(form)));

        assertThat(messages).extracting(Message::form).containsExactly(form, null, form);
        assertThat(messages).allSatisfy(message -> {
            assertThat(message.payload().utf8()).isEqualTo("{\"a\":1}");
            assertThat(message.key()).isEqualTo("k");
            assertThat(message.createTimestampMs()).isEqualTo(5L);
        });
    }

    /** The struct as the IDL has it: what a Talos SDK reads. */
    @ParameterizedTest
    @EnumSource
    void talosClientsReadTheMessageAsIfItHadNoForm(ValueForm form) throws Exception {
        byte[] with = struct(encoded(MessageVersion.V3, message(form)));
        byte[] without = struct(encoded(MessageVersion.V3, message(null)));

        assertThat(with).hasSize(without.length + 4);
        assertThat(read(with)).isEqualTo(read(without));
    }

    private static io.talosgateway.thrift.Message read(byte[] bytes) throws Exception {
        io.talosgateway.thrift.Message struct = new io.talosgateway.thrift.Message();
        struct.read(new TCompactProtocol(new TMemoryInputTransport(new TConfiguration(), bytes)));
        return struct;
    }

    @Test
    void bytesOnDiskStayAsTheyAre() {
        assertThat(HexFormat.of().formatHex(struct(encoded(MessageVersion.V3, message(ValueForm.JSON)))))
                .isEqualTo("18016b180173" + "18077b2261223a317d" + "160a" + "2504" + "03c80102" + "00");
    }

    @Test
    void messagesOfVersionTwoHaveNoForm() throws Exception {
        assertThat(decoded(encoded(MessageVersion.V2, message(ValueForm.JSON))))
                .singleElement()
                .satisfies(message -> assertThat(message.form()).isNull());
    }

    /**
     * Fields that are not the form: another number, another type, and the same field within a field. In the last of them, a
     * reader that looks at the number alone would find a form.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "38016103c8010900", // form 9
                "380161" + "05c8010400", // an i32
                "380161" + "0ca00103c8010200" + "00" // in a struct with the number 80
            })
    void otherFieldsAreNoForm(String struct) throws Exception {
        byte[] bytes = HexFormat.of().parseHex(struct);
        byte[] data = HexFormat.of().parseHex("56000300%08x%s".formatted(bytes.length, struct));
        MessageBlock block = new MessageBlock(
                1, Compression.NONE.code(), new ByteSlice(data), MessageBlock.NO_TIMESTAMP, ByteSlice.EMPTY);

        assertThat(decoded(block)).singleElement().satisfies(message -> {
            assertThat(message.form()).isNull();
            assertThat(message.payload().utf8()).isEqualTo("a");
        });
    }
}
