package io.talosgateway.rest.peer;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.thrift.FindOffsetRequest;
import io.talosgateway.thrift.HostBlock;
import io.talosgateway.thrift.HostPartition;
import io.talosgateway.thrift.TransferPutMessageRequest;
import io.talosgateway.thrift.call.HostMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TField;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.protocol.TType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.talosgateway.rest.peer.ForwardFixture.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Calls that no host makes, from one that has proved: what is not understood is not done, and harms nobody else. */
final class PeerBadCallsTest {

    private static final String PUT = HostMethods.TRANSFER_PUT_MESSAGE.name();

    private final ForwardFixture fixture = new ForwardFixture();
    private final LogLines log = new LogLines();
    private final ForwardFixture.Owner owner;
    private final int port;

    PeerBadCallsTest() throws Exception {
        PeerConfig config = new PeerConfig(
                "127.0.0.1",
                0,
                DataSize.ofMiB(1),
                DataSize.ofMiB(2),
                100,
                100,
                Duration.ofSeconds(5),
                Duration.ofSeconds(15));
        owner = fixture.owner(config, new SteppedTime());
        port = owner.server().port();
    }

    @AfterEach
    void close() throws Exception {
        assertThat(owner.partitions().puts).isEmpty();
        get(fixture.forwarder().owner(owner.peer()).put(fixture.put("good")));
        Await.until(() -> owner.admission().requestsInFlight() == 0);
        assertThat(log.withStackTrace()).isEmpty();
        log.close();
        fixture.close();
    }

    private static TransferPutMessageRequest request() {
        return new TransferPutMessageRequest(1000, new HostPartition(1, 2, 3), List.of(block(1)), "normal");
    }

    private static HostBlock block(int messages) {
        return new HostBlock(messages, 0, ByteSlice.utf8("payload").toByteBuffer());
    }

    private static byte[] frame(ThriftEnvelope.StructWriter message) throws Exception {
        HostFrame frame = HostFrame.of(message);
        ByteBuffer bytes = ByteBuffer.allocate(4 + frame.length());
        frame.slices().forEach(slice -> bytes.put(slice.toByteArray()));
        return bytes.array();
    }

    /** The same bytes, with a length in front that fits. */
    private static byte[] refit(byte[] frame) {
        ByteBuffer.wrap(frame).putInt(0, frame.length - 4);
        return frame;
    }

    /** The call is refused as not understood, and the connection can be used for the next. */
    private static void assertNotTaken(ScriptedCaller caller, ThriftEnvelope.StructWriter call) throws Exception {
        caller.raw().send(call);
        assertThatThrownBy(() ->
                        HostMethods.TRANSFER_PUT_MESSAGE.readReply(caller.raw().receive()))
                .isInstanceOf(TApplicationException.class);
        assertServed(caller);
    }

    private static void assertServed(ScriptedCaller caller) throws Exception {
        FindOffsetRequest request = new FindOffsetRequest(1000, new HostPartition(0, 0, 0), 41);
        assertThat(caller.call(HostMethods.FIND_OFFSET, request).getOffset()).isEqualTo(41);
    }

    /** Writes a put whose argument the test writes. */
    private static ThriftEnvelope.StructWriter put(ThriftEnvelope.StructWriter argument) {
        return out -> ThriftEnvelope.writeCall(out, PUT, 1, "request", argument);
    }

    @Test
    void unknownMethodIsRefused() throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            for (String name : List.of("", "x", "putMessage", "transferputmessage", "x".repeat(100_000))) {
                assertNotTaken(caller, out -> ThriftEnvelope.writeCall(out, name, 1, "request", request()::write));
            }
        }
    }

    @Test
    void putWithoutAnArgumentOrWithoutWhatIsRequiredIsRefused() throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            assertNotTaken(caller, out -> ThriftEnvelope.writeCall(out, PUT, 1, "request", null));
            assertNotTaken(caller, put(out -> {
                out.writeStructBegin(new TStruct("request"));
                out.writeFieldStop();
                out.writeStructEnd();
            }));
        }
    }

    @Test
    void putOfNothingIsRefused() throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            assertNotTaken(caller, put(request().setMessageBlocks(List.of())::write));
            for (int messages : new int[] {0, -1, Integer.MIN_VALUE}) {
                assertNotTaken(caller, put(request().setMessageBlocks(List.of(block(messages)))::write));
            }
            assertNotTaken(caller, put(request().setMessageBlocks(List.of(block(Integer.MAX_VALUE), block(1)))::write));
        }
    }

    @Test
    void valuesThatNoHostSendsAreRefused() throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            assertNotTaken(caller, put(request().setDurability("paper")::write));
            assertNotTaken(caller, put(request().setIdempotencyKey("")::write));
            assertNotTaken(caller, put(request().setIdempotencyKey("k".repeat(5000))::write));
        }
    }

    @Test
    void everyPartOfAPutThatIsCutOffIsRefused() throws Exception {
        byte[] whole = frame(put(request()::write));
        int behindTheHeader = frame(out -> out.writeMessageBegin(new TMessage(PUT, TMessageType.CALL, 1))).length;
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            for (int length = behindTheHeader; length < whole.length; length++) {
                caller.raw().sendBytes(refit(Arrays.copyOf(whole, length)));
                assertThatThrownBy(() -> HostMethods.TRANSFER_PUT_MESSAGE.readReply(
                                caller.raw().receive()))
                        .as("%d of %d bytes", length, whole.length)
                        .isInstanceOf(TApplicationException.class);
            }
            assertServed(caller);
        }
        for (int length = 5; length < behindTheHeader; length++) {
            try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
                caller.raw().sendBytes(refit(Arrays.copyOf(whole, length)));
                assertThat(caller.raw().isEnded()).as("%d bytes", length).isTrue();
            }
        }
    }

    @Test
    void putThatBreaksOffIsNotStored() throws Exception {
        byte[] whole = frame(put(request()::write));
        for (int length = 1; length < whole.length; length += 5) {
            try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
                caller.raw().sendBytes(Arrays.copyOf(whole, length));
                caller.raw().sendNoMore();
                assertThat(caller.raw().isEnded()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1000, 1_000_000, Integer.MAX_VALUE})
    void absurdSizesTakeNoMemory(int size) throws Exception {
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            assertNotTaken(caller, put(out -> {
                begin(out, 3, TType.LIST);
                out.writeListBegin(new TList(TType.STRUCT, size));
            }));
            assertNotTaken(caller, put(out -> {
                begin(out, 99, TType.MAP); // a field that nobody knows
                out.writeMapBegin(new TMap(TType.STRING, TType.STRUCT, size));
            }));
            assertNotTaken(caller, put(out -> {
                begin(out, 4, TType.STRING);
                writeVarint(out, size);
            }));
        }
    }

    private static void begin(TProtocol out, int field, byte type) throws TException {
        out.writeStructBegin(new TStruct("request"));
        out.writeFieldBegin(new TField("", type, (short) field));
    }

    /** The length of a text that does not follow. */
    private static void writeVarint(TProtocol out, int value) throws TException {
        int rest = value;
        while ((rest & ~0x7F) != 0) {
            out.writeByte((byte) ((rest & 0x7F) | 0x80));
            rest >>>= 7;
        }
        out.writeByte((byte) rest);
    }

    @Test
    void deepNestingIsNotFollowed() throws Exception {
        byte[] nested = new byte[1 << 20];
        Arrays.fill(nested, (byte) 0x19); // a list of one list, of one list ...
        byte[] begin = frame(put(out -> begin(out, 99, TType.LIST)));
        System.arraycopy(begin, 0, nested, 0, begin.length - 2); // but for the ends of two structs
        try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
            caller.raw().sendBytes(refit(nested));
            assertThatThrownBy(() -> HostMethods.TRANSFER_PUT_MESSAGE.readReply(
                            caller.raw().receive()))
                    .isInstanceOf(TApplicationException.class);
            assertServed(caller);
        }
    }

    @Test
    void frameThatIsTooLargeEndsTheConnection() throws Exception {
        for (int length : new int[] {(1 << 20) + 1, Integer.MAX_VALUE, -1, 0}) {
            try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
                caller.raw().sendBytes(ByteBuffer.allocate(4).putInt(length).array());
                assertThat(caller.raw().isEnded()).isTrue();
            }
        }
        assertThat(log.texts()).singleElement().asString().contains("larger frame than is allowed");
    }

    @Test
    void putsWithWrongBytesAreAnsweredOrEndTheConnection() throws Exception {
        byte[] whole = frame(put(request()::write));
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            byte[] bytes = whole.clone();
            for (int change = 0; change <= random.nextInt(4); change++) {
                bytes[4 + random.nextInt(bytes.length - 4)] = (byte) random.nextInt(256);
            }
            try (ScriptedCaller caller = ScriptedCaller.proved(port)) {
                caller.raw().sendBytes(bytes);
                caller.raw().sendNoMore();
                assertThatCode(caller.raw()::bytesUntilEnd).as("seed %d", seed).doesNotThrowAnyException();
            }
        }
        assertThat(owner.partitions().puts)
                .as("changes that leave a put")
                .allSatisfy(put -> assertThat(put.batch().messageCount()).isPositive());
        owner.partitions().puts.clear();
        owner.partitions().others.clear();
    }
}
