package io.talosgateway.thrift.call;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.talosgateway.thrift.ErrorCode;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.GetDescribeInfoRequest;
import io.talosgateway.thrift.GetDescribeInfoResponse;
import io.talosgateway.thrift.GetScheduleInfoResponse;
import io.talosgateway.thrift.QueryOffsetResponse;
import io.talosgateway.thrift.QueryWorkerResponse;
import io.talosgateway.thrift.RenewResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicTalosResourceName;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.apache.thrift.transport.TTransportException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The hex strings are messages made with the serializer of the official SDK. */
final class ThriftEnvelopeTest {

    private static final String CALL = "8221010f6765744465736372696265496e666f1c180974657374546f7069630000";
    private static final TopicTalosResourceName RESOURCE = new TopicTalosResourceName("CL100#testTopic#0011223344");

    @Test
    void callIsWrittenAndReadAsTheSdkDoes() throws TException {
        GetDescribeInfoRequest argument = new GetDescribeInfoRequest("testTopic");
        assertThat(written(out -> TopicMethods.GET_DESCRIBE_INFO.writeCall(out, 1, argument)))
                .isEqualTo(CALL);

        TProtocol in = reading(CALL);
        TMessage message = in.readMessageBegin();
        assertThat(message.name).isEqualTo("getDescribeInfo");
        assertThat(message.type).isEqualTo(TMessageType.CALL);
        assertThat(message.seqid).isEqualTo(1);
        assertThat(TopicMethods.GET_DESCRIBE_INFO.readArguments(in)).isEqualTo(argument);
    }

    @Test
    void resultsAreWrittenAsTheSdkReadsThem() throws TException {
        assertThat(written(out ->
                        TopicMethods.GET_DESCRIBE_INFO.writeResult(out, 1, new GetDescribeInfoResponse(RESOURCE, 8))))
                .isEqualTo("8241010f6765744465736372696265496e666f0c001c181a434c3130302374657374546f7069632330303131"
                        + "32323333343400151000" + "00");
        assertThat(written(out -> MessageMethods.GET_SCHEDULE_INFO.writeResult(
                        out,
                        1,
                        new GetScheduleInfoResponse(
                                Map.of(new TopicAndPartition("testTopic", RESOURCE, 3), "127.0.0.1:8080")))))
                .isEqualTo("8241010f6765745363686564756c65496e666f0c001b01c8180974657374546f7069631c181a434c3130302374"
                        + "657374546f706963233030313132323333343400" + "1506000e3132372e302e302e313a383038300000");
        assertThat(written(out -> ConsumerMethods.QUERY_WORKER.writeResult(
                        out, 1, new QueryWorkerResponse(new TreeMap<>(Map.of("w1", List.of(0, 2), "w2", List.of()))))))
                .isEqualTo("8241010b7175657279576f726b65720c001b0289027731250004027732050000");
        assertThat(written(out -> ConsumerMethods.QUERY_OFFSET.writeResult(out, 1, new QueryOffsetResponse(-1))))
                .isEqualTo("8241010b71756572794f66667365740c0016010000");
        assertThat(written(out -> ConsumerMethods.RENEW.writeResult(out, 1, new RenewResponse(true, List.of()))))
                .isEqualTo("8241010572656e65770c001119050000");
    }

    @Test
    void voidResultIsAnEmptyStruct() throws TException {
        String reply = "8241010f756e6c6f636b506172746974696f6e00";
        assertThat(written(out -> ConsumerMethods.UNLOCK_PARTITION.writeResult(out, 1, null)))
                .isEqualTo(reply);
        assertThat(ConsumerMethods.UNLOCK_PARTITION.readReply(reading(reply))).isNull();
    }

    @Test
    void exceptionTravelsInFieldOne() throws TException {
        GalaxyTalosException exception = new GalaxyTalosException()
                .setErrorCode(ErrorCode.TOPIC_NOT_EXIST)
                .setErrMsg("topic not exist")
                .setDetails("testTopic");
        String reply =
                "8241010f6765744465736372696265496e666f1c150a180f746f706963206e6f74206578697374180974657374546f70"
                        + "69630000";
        assertThat(written(out -> ThriftEnvelope.writeException(out, "getDescribeInfo", 1, exception)))
                .isEqualTo(reply);
        assertThatThrownBy(() -> TopicMethods.GET_DESCRIBE_INFO.readReply(reading(reply)))
                .isEqualTo(exception);
    }

    @Test
    void exceptionWithTheTextTheGoSdkLooksFor() throws TException {
        GalaxyTalosException exception = new GalaxyTalosException()
                .setErrorCode(ErrorCode.MESSAGE_OFFSET_OUT_OF_RANGE)
                .setErrMsg("Message out range")
                .setDetails("offset 5 not in [10,20]");
        assertThat(written(out -> ThriftEnvelope.writeException(out, "getMessage", 1, exception)))
                .isEqualTo(
                        "8241010a6765744d6573736167651c151c18114d657373616765206f75742072616e676518176f6666736574203520"
                                + "6e6f7420696e205b31302c32305d0000");
    }

    @Test
    void unknownMethodIsAnExceptionMessage() throws TException {
        TApplicationException exception =
                new TApplicationException(TApplicationException.UNKNOWN_METHOD, "Invalid method name: 'noSuch'");
        String reply = "826101066e6f53756368181d496e76616c6964206d6574686f64206e616d653a20276e6f5375636827150200";
        assertThat(written(out -> ThriftEnvelope.writeApplicationException(out, "noSuch", 1, exception)))
                .isEqualTo(reply);
        assertThatThrownBy(() -> TopicMethods.GET_DESCRIBE_INFO.readReply(reading(reply)))
                .isInstanceOf(TApplicationException.class)
                .hasMessage("Invalid method name: 'noSuch'");
    }

    @Test
    void unknownFieldsAreSkipped() throws TException {
        // The argument struct with a field 9 in front of nothing else: an i32 that no SDK has.
        TProtocol in = reading("8221010f6765744465736372696265496e666f1c180974657374546f70696385" + "0200" + "00");
        in.readMessageBegin();
        assertThat(TopicMethods.GET_DESCRIBE_INFO.readArguments(in)).isEqualTo(new GetDescribeInfoRequest("testTopic"));
    }

    @Test
    void callWithoutArgumentIsRefused() throws TException {
        TProtocol in = reading("8221010f6765744465736372696265496e666f00");
        in.readMessageBegin();
        assertThatThrownBy(() -> TopicMethods.GET_DESCRIBE_INFO.readArguments(in))
                .isInstanceOf(TProtocolException.class)
                .hasMessageContaining("no argument");
    }

    @Test
    void replyWithNothingIsRefused() {
        assertThatThrownBy(() -> ConsumerMethods.RENEW.readReply(reading("8241010572656e657700")))
                .isInstanceOf(TApplicationException.class)
                .hasMessageContaining("unknown result");
    }

    private interface Writing {
        void write(TProtocol out) throws TException;
    }

    private static String written(Writing writing) throws TException {
        TMemoryBuffer buffer = new TMemoryBuffer(64);
        writing.write(new TCompactProtocol(buffer));
        return HexFormat.of().formatHex(buffer.getArray(), 0, buffer.length());
    }

    private static TProtocol reading(String hex) throws TTransportException {
        return new TCompactProtocol(new TMemoryInputTransport(HexFormat.of().parseHex(hex)));
    }
}
