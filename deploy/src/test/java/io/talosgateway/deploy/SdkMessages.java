package io.talosgateway.deploy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import com.xiaomi.infra.galaxy.talos.consumer.SimpleConsumer;
import com.xiaomi.infra.galaxy.talos.thrift.Message;
import com.xiaomi.infra.galaxy.talos.thrift.MessageAndOffset;
import com.xiaomi.infra.galaxy.talos.thrift.MessageType;

import static org.assertj.core.api.Assertions.assertThat;

/** Makes messages of the official SDK, reads them back, and compares. */
final class SdkMessages {

    private final Random random;
    private int made;

    SdkMessages(long seed) {
        this.random = new Random(seed);
    }

    /** One message whose bytes no compression makes smaller. */
    Message random(int bytes) {
        byte[] payload = new byte[bytes];
        random.nextBytes(payload);
        return of(payload);
    }

    /** One message whose bytes every compression makes much smaller. */
    Message repetitive(int bytes) {
        byte[] payload = new byte[bytes];
        for (int index = 0; index < bytes; index++) {
            payload[index] = (byte) (index % 7);
        }
        return of(payload);
    }

    List<Message> randoms(int count, int bytes) {
        List<Message> messages = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            messages.add(random(bytes));
        }
        return messages;
    }

    private Message of(byte[] payload) {
        int number = made++;
        // Fields of the message itself, which travel inside the block, and must come back too.
        return new Message(ByteBuffer.wrap(payload))
                .setSequenceNumber("number-" + number)
                .setCreateTimestamp(1_700_000_000_000L + number);
    }

    /** Everything from an offset to the end, in as many gets as it takes. */
    static List<MessageAndOffset> readAll(SimpleConsumer consumer, long from) throws Exception {
        List<MessageAndOffset> all = new ArrayList<>();
        long next = from;
        while (true) {
            List<MessageAndOffset> some = consumer.fetchMessage(next);
            if (some.isEmpty()) {
                return all;
            }
            all.addAll(some);
            next = some.get(some.size() - 1).getMessageOffset() + 1;
        }
    }

    /** Fails unless these are the messages, in this order, at consecutive offsets. */
    static void assertSame(List<MessageAndOffset> read, long firstOffset, List<Message> put) {
        assertThat(read).hasSameSizeAs(put);
        for (int index = 0; index < put.size(); index++) {
            String which = "message " + index;
            Message expected = put.get(index);
            Message actual = read.get(index).getMessage();
            assertThat(read.get(index).getMessageOffset()).as(which).isEqualTo(firstOffset + index);
            assertThat(actual.getMessage()).as(which).isEqualTo(expected.getMessage());
            assertThat(actual.getSequenceNumber()).as(which).isEqualTo(expected.getSequenceNumber());
            assertThat(actual.getCreateTimestamp()).as(which).isEqualTo(expected.getCreateTimestamp());
            assertThat(actual.getMessageType()).as(which).isEqualTo(MessageType.BINARY);
        }
    }
}
