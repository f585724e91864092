package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.talos.PutMessageCodec.Put;
import io.talosgateway.rest.message.MessageLimits;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.MessageBlock;
import io.talosgateway.wire.message.StoredBlock;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The bytes are test vectors made with the official SDKs (docs/message-format.md). */
final class MessageCodecTest {

    private static final String BLOCK =
            "82534e415050590000000001000000010000003e40605600030000000011380568656c6c6f168080f4f6905d2502000d"
                    + "197c1f1804706b2d3118057365712d311806776f726c642116e887f4f6905d250400";
    private static final String PUT_CALL =
            "8221010a7075744d6573736167651c1c180974657374546f7069631c181a434c3130302374657374546f706963233030"
                    + "313132323333343400150600191c1600150415021852" + BLOCK
                    + "15a40126f483f4f6905d001504182553696d706c6550726f647563657231363030303030303030303030306131623263"
                    + "3364233116a09cf5f6905d0000";
    private static final String PUT_REPLY =
            "8241010a7075744d6573736167650c00182553696d706c6550726f647563657231363030303030303030303030306131"
                    + "62326333642331120000";
    private static final String GET_CALL =
            "8221010a6765744d6573736167651c1c180974657374546f7069631c181a434c3130302374657374546f706963233030"
                    + "313132323333343400150600265215d00f15808080022817313630303030303030303030303061316232633364233716"
                    + "a09cf5f6905d0000";
    private static final String GET_REPLY = "8241010a6765744d6573736167650c00191c1652150415021852" + BLOCK
            + "15a40116928cf4f6905d16f483f4f6905d001504160a1817313630303030303030303030303061316232633364233712"
            + "0000";
    private static final String EMPTY_GET_REPLY =
            "8241010a6765744d6573736167650c00190c150016001817313630303030303030303030303061316232633364233700" + "00";
    private static final String GET_SEQUENCE_ID = "16000000000000a1b2c3d#7";

    private static ByteSlice bytes(String hex) {
        return new ByteSlice(HexFormat.of().parseHex(hex));
    }

    private static String hex(List<ByteSlice> parts) {
        StringBuilder hex = new StringBuilder();
        parts.forEach(part -> hex.append(HexFormat.of().formatHex(part.toByteArray())));
        return hex.toString();
    }

    private static TalosCall call(ThriftFormat format, String method) {
        return new TalosCall(
                null,
                Principal.GUEST,
                Operation.MESSAGE_PUT_MESSAGE,
                ClientKind.JAVA,
                format,
                null,
                method,
                1,
                ByteSlice.EMPTY);
    }

    private static Put readPut(ThriftFormat format, ByteSlice body) throws TException {
        TProtocol in = format.reading(body);
        in.readMessageBegin();
        return ThriftEnvelope.readArguments(in, put -> PutMessageCodec.read(put, MessageLimits.DEFAULT));
    }

    @Test
    void putOfAnOfficialClientIsRead() throws Exception {
        ByteSlice body = bytes(PUT_CALL);

        Put put = readPut(ThriftFormat.COMPACT, body);

        assertThat(put.topicAndPartition())
                .isEqualTo(new TopicAndPartition(
                        "testTopic", new TopicTalosResourceName("CL100#testTopic#0011223344"), 3));
        assertThat(put.sequenceId()).isEqualTo("SimpleProducer16000000000000a1b2c3d#1");
        assertThat(put.timeoutTimestampMs()).isEqualTo(1_600_000_010_000L);
        assertThat(put.batch().messageCount()).isEqualTo(2);
        MessageBlock block = put.batch().blocks().get(0);
        assertThat(block).isEqualTo(new MessageBlock(2, 1, bytes(BLOCK), 1_600_000_000_250L, ByteSlice.EMPTY));
        assertThat(block.data().array()).as("the payload is not copied").isSameAs(body.array());
    }

    @Test
    void answersArePutAsOfficialServersPutThem() {
        PutMessageResponse put = new PutMessageResponse("SimpleProducer16000000000000a1b2c3d#1").setIsTransfer(false);
        assertThat(hex(TalosReplies.result(call(ThriftFormat.COMPACT, "putMessage"), new TalosMethods.Reply(put::write))
                        .body()))
                .isEqualTo(PUT_REPLY);

        StoredBlock stored = new StoredBlock(
                41, 1_600_000_000_777L, new MessageBlock(2, 1, bytes(BLOCK), 1_600_000_000_250L, ByteSlice.EMPTY));
        assertThat(hex(get(List.of(stored), 2, 5L).body())).isEqualTo(GET_REPLY);
    }

    /** In the vector {@code isTransfer} is left out, which is the same to every client as false. */
    @Test
    void answerWithoutMessagesHasAnEmptyList() throws Exception {
        Answer answer = get(List.of(), 0, 0L);

        assertThat(hex(answer.body())).isEqualTo(EMPTY_GET_REPLY.replace("370000", "37120000"));
    }

    private static Answer get(List<StoredBlock> blocks, int messages, Long unhandled) {
        return TalosReplies.result(
                call(ThriftFormat.COMPACT, "getMessage"),
                new TalosMethods.Reply(
                        out -> GetMessageCodec.write(out, blocks, messages, unhandled, GET_SEQUENCE_ID, false)));
    }

    /** Thrift's JSON protocol once cut it by the place where it begins. */
    @ParameterizedTest
    @EnumSource
    void payloadFromTheMiddleOfAnArrayIsWrittenWhole(ThriftFormat format) throws Exception {
        byte[] array = new byte[10_000];
        new java.util.Random(11).nextBytes(array);
        for (ByteSlice payload : List.of(new ByteSlice(array, 9, 90), new ByteSlice(array, 3_000, 6_000))) {
            StoredBlock stored = new StoredBlock(0, 1, new MessageBlock(1, 0, payload, 2, ByteSlice.EMPTY));
            Answer answer = TalosReplies.result(
                    call(format, "getMessage"),
                    new TalosMethods.Reply(
                            out -> GetMessageCodec.write(out, List.of(stored), 1, 0L, GET_SEQUENCE_ID, false)));

            GetMessageResponse read = MessageMethods.GET_MESSAGE.readReply(format.reading(bytes(hex(answer.body()))));

            assertThat(ByteSlice.of(read.getMessageBlocks().get(0).bufferForMessageBlock()))
                    .isEqualTo(payload);
        }
    }

    @Test
    void getOfAnOfficialClientIsRead() throws Exception {
        TProtocol in = ThriftFormat.COMPACT.reading(bytes(GET_CALL));
        in.readMessageBegin();
        GetMessageRequest request = MessageMethods.GET_MESSAGE.readArguments(in);

        assertThat(request.getMessageOffset()).isEqualTo(41);
        assertThat(request.getMaxGetMessageNumber()).isEqualTo(1000);
        assertThat(request.getMaxGetMessageBytes()).isEqualTo(2_097_152);
        assertThat(request.isShowUnHandledMessageNumber()).isTrue();
        assertThat(request.getSequenceId()).isEqualTo(GET_SEQUENCE_ID);
        assertThat(request.getTimeoutTimestamp()).isEqualTo(1_600_000_010_000L);
    }

    @ParameterizedTest
    @EnumSource
    void everyProtocolCarriesAPutAndItsMessages(ThriftFormat format) throws Exception {
        byte[] payload = new byte[5000];
        payload[4999] = 1;
        PutMessageRequest request = new PutMessageRequest(
                new TopicAndPartition("t", new TopicTalosResourceName("o#t#1"), 7),
                List.of(new io.talosgateway.thrift.MessageBlock(
                                0, 3, MessageCompressionType.GZIP, java.nio.ByteBuffer.wrap(payload))
                        .setMessageBlockSize(5000)
                        .setCreateTimestamp(9)),
                3,
                "s");
        TMemoryBuffer buffer = new TMemoryBuffer(100);
        MessageMethods.PUT_MESSAGE.writeCall(format.writing(buffer), 1, request);

        Put put = readPut(format, new ByteSlice(buffer.getArray(), 0, buffer.length()));
        MessageBlock block = put.batch().blocks().get(0);
        assertThat(block).isEqualTo(new MessageBlock(3, 2, new ByteSlice(payload), 9, ByteSlice.EMPTY));
        assertThat(put.timeoutTimestampMs()).isNull();

        Answer answer = TalosReplies.result(
                call(format, "getMessage"),
                new TalosMethods.Reply(out ->
                        GetMessageCodec.write(out, List.of(new StoredBlock(10, 11, block)), 3, null, "q", false)));
        TProtocol reply = format.reading(bytes(hex(answer.body())));
        GetMessageResponse response = MessageMethods.GET_MESSAGE.readReply(reply);
        assertThat(response)
                .isEqualTo(new GetMessageResponse(
                                List.of(request.getMessageBlocks()
                                        .get(0)
                                        .deepCopy()
                                        .setStartMessageOffset(10)
                                        .setAppendTimestamp(11)),
                                3,
                                "q")
                        .setIsTransfer(false));
        if (format == ThriftFormat.COMPACT) {
            assertThat(answer.body())
                    .as("the payload is not copied")
                    .anyMatch(part -> part.array() == block.data().array());
        }
    }

    /** A block of a client that is newer than this gateway. */
    private static void writeNewerBlock(TProtocol out, long startOffset, boolean stored) throws TException {
        out.writeStructBegin(new TStruct("MessageBlock"));
        MessageBlockCodec.writeI64(out, new TField("", TType.I64, (short) 1), startOffset);
        MessageBlockCodec.writeI32(out, new TField("", TType.I32, (short) 2), 1);
        MessageBlockCodec.writeI32(out, new TField("", TType.I32, (short) 3), 0);
        out.writeFieldBegin(new TField("", TType.STRING, (short) 4));
        out.writeString("payload");
        out.writeFieldEnd();
        if (stored) {
            MessageBlockCodec.writeI32(out, new TField("", TType.I32, (short) 5), 7);
            MessageBlockCodec.writeI64(out, new TField("", TType.I64, (short) 6), 99);
        }
        out.writeFieldBegin(new TField("", TType.LIST, (short) 8));
        out.writeListBegin(new TList(TType.I64, 2));
        out.writeI64(1);
        out.writeI64(2);
        out.writeListEnd();
        out.writeFieldEnd();
        out.writeFieldBegin(new TField("", TType.STRUCT, (short) 300));
        out.writeStructBegin(new TStruct(""));
        out.writeFieldBegin(new TField("", TType.BOOL, (short) 1));
        out.writeBool(true);
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
    }

    @Test
    void fieldsOfNewerClientsAreGivenBackAsTheyCame() throws Exception {
        TMemoryBuffer put = new TMemoryBuffer(100);
        writeNewerBlock(ThriftFormat.COMPACT.writing(put), 0, false);

        MessageBlock block =
                MessageBlockCodec.read(ThriftFormat.COMPACT.reading(new ByteSlice(put.getArray(), 0, put.length())));

        TMemoryBuffer expected = new TMemoryBuffer(100);
        writeNewerBlock(ThriftFormat.COMPACT.writing(expected), 12, true);
        TMemoryBuffer got = new TMemoryBuffer(100);
        MessageBlockCodec.write(ThriftFormat.COMPACT.writing(got), new StoredBlock(12, 99, block));
        assertThat(HexFormat.of().formatHex(got.getArray(), 0, got.length()))
                .isEqualTo(HexFormat.of().formatHex(expected.getArray(), 0, expected.length()));
    }

    /** The compact protocol has no types for an empty map, and a client with the JSON protocol could never read it, nor on. */
    @ParameterizedTest
    @EnumSource(ThriftFormat.class)
    void emptyFieldsOfNewerClientsAreGivenToAllClients(ThriftFormat putter) throws Exception {
        TMemoryBuffer put = new TMemoryBuffer(100);
        TProtocol out = putter.writing(put);
        out.writeStructBegin(new TStruct("MessageBlock"));
        MessageBlockCodec.writeI32(out, new TField("", TType.I32, (short) 2), 1);
        MessageBlockCodec.writeI32(out, new TField("", TType.I32, (short) 3), 0);
        out.writeFieldBegin(new TField("", TType.STRING, (short) 4));
        out.writeString("payload");
        out.writeFieldEnd();
        out.writeFieldBegin(new TField("", TType.MAP, (short) 20));
        out.writeMapBegin(new TMap(TType.STRING, TType.STRING, 0));
        out.writeMapEnd();
        out.writeFieldEnd();
        out.writeFieldBegin(new TField("", TType.LIST, (short) 21));
        out.writeListBegin(new TList(TType.STRING, 0));
        out.writeListEnd();
        out.writeFieldEnd();
        out.writeFieldStop();
        out.writeStructEnd();
        MessageBlock block = MessageBlockCodec.read(putter.reading(new ByteSlice(put.getArray(), 0, put.length())));

        for (ThriftFormat getter : ThriftFormat.values()) {
            TMemoryBuffer got = new TMemoryBuffer(100);
            MessageBlockCodec.write(getter.writing(got), new StoredBlock(12, 99, block));
            MessageBlock again = MessageBlockCodec.read(getter.reading(new ByteSlice(got.getArray(), 0, got.length())));
            assertThat(again).as("%s", getter).isEqualTo(block);
        }
    }

    /** libthrift skips what it does not know by recursion: an Error is no answer. */
    @ParameterizedTest
    @EnumSource(ThriftFormat.class)
    void fieldsWithinFieldsAreRefused(ThriftFormat format) throws Exception {
        TMemoryBuffer body = new TMemoryBuffer(100_000);
        TProtocol out = format.writing(body);
        out.writeMessageBegin(new TMessage("putMessage", TMessageType.CALL, 1));
        out.writeStructBegin(new TStruct("putMessage_args"));
        for (int level = 0; level < 20_000; level++) {
            out.writeFieldBegin(new TField("", TType.STRUCT, (short) 9));
            out.writeStructBegin(new TStruct(""));
        }
        assertThatThrownBy(() ->
                        TalosCall.decode(() -> readPut(format, new ByteSlice(body.getArray(), 0, body.length()))))
                .isInstanceOf(GatewayException.class)
                .hasMessageContaining("nested more than 64 levels deep");
    }

    private static PutMessageRequest validPut() {
        return new PutMessageRequest(
                new TopicAndPartition("t", new TopicTalosResourceName("o#t#1"), 0),
                new ArrayList<>(List.of(new io.talosgateway.thrift.MessageBlock(
                        0, 1, MessageCompressionType.NONE, java.nio.ByteBuffer.wrap(new byte[] {1})))),
                1,
                "s");
    }

    private static void assertInvalid(PutMessageRequest request, String reason) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(100);
        MessageMethods.PUT_MESSAGE.writeCall(ThriftFormat.COMPACT.writing(buffer), 1, request);
        ByteSlice body = new ByteSlice(buffer.getArray(), 0, buffer.length());
        assertThatThrownBy(() -> readPut(ThriftFormat.COMPACT, body))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_MESSAGE))
                .hasMessageContaining(reason);
    }

    @Test
    void blocksThatContradictThemselvesAreRefused() throws Exception {
        assertInvalid(validPut().setMessageBlocks(List.of()), "at least one message");
        assertInvalid(validPut().setMessageNumber(2), "messageNumber says 2");
        PutMessageRequest put = validPut();
        put.getMessageBlocks().get(0).setMessageNumber(0);
        assertInvalid(put, "at least one message, not 0");
        put = validPut();
        put.getMessageBlocks().get(0).setMessageNumber(-1);
        assertInvalid(put, "not -1");
        put = validPut();
        put.getMessageBlocks().get(0).setMessageBlock(new byte[0]);
        assertInvalid(put, "must hold bytes");
        put = validPut();
        put.getMessageBlocks().get(0).setMessageBlockSize(2);
        assertInvalid(put, "messageBlockSize says 2");
        put = validPut().setMessageNumber(Integer.MAX_VALUE);
        put.getMessageBlocks().get(0).setMessageNumber(Integer.MAX_VALUE);
        assertInvalid(put, "may hold 100000 messages");
        put = validPut();
        for (int block = 0; block < 1000; block++) {
            put.addToMessageBlocks(put.getMessageBlocks().get(0));
        }
        assertInvalid(put, "may hold 1000 message blocks, not 1001");
    }

    @Test
    void everyTruncationIsRefused() {
        for (int length = 0; length < PUT_CALL.length() - 2; length += 2) {
            ByteSlice cut = bytes(PUT_CALL.substring(0, length));
            assertThatThrownBy(() -> TalosCall.decode(() -> readPut(ThriftFormat.COMPACT, cut)))
                    .as("cut to " + length / 2 + " bytes")
                    .isInstanceOfSatisfying(
                            GatewayException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST))
                    .hasMessageContaining("it ends before the call does");
        }
    }

    @Test
    void unknownFieldThatIsNestedWithoutEndIsRefused() {
        // Field 99 of the block: a list of a list of a list...
        String nested = "19".repeat(10_000);
        ByteSlice body = bytes(
                "8221010a7075744d6573736167651c1c180974657374546f7069631c181a434c3130302374657374546f70696323303031313232333334"
                        + "3400150600191c160015021500180178f9" + nested);
        assertThatThrownBy(() -> readPut(ThriftFormat.COMPACT, body))
                .isInstanceOf(TProtocolException.class)
                .hasMessageContaining("nested too deeply");
    }

    @Test
    void lengthsThatLieTakeNoMemory() {
        // A list of 2^31-1 blocks, and a string of 2^31-1 bytes.
        ByteSlice list = bytes(
                "8221010a7075744d6573736167651c1c180974657374546f7069631c181a434c3130302374657374546f70696323303031313232333334"
                        + "340015060019fcffffffff07");
        ByteSlice string = bytes("8221010a7075744d6573736167651c1c18ffffffff07");
        for (ByteSlice body : List.of(list, string)) {
            assertThatThrownBy(() -> TalosCall.decode(() -> readPut(ThriftFormat.COMPACT, body)))
                    .isInstanceOf(GatewayException.class);
        }
    }
}
