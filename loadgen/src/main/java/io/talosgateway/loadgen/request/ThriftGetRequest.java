package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;

import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.http.RequestBytes;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/**
 * A reader's requests to the Thrift interface, which does not wait at the end of a partition: it answers with nothing. The
 * messages themselves are not opened.
 */
final class ThriftGetRequest implements GetRequest {

    private static final long LAST_MESSAGE = -2;
    /** What every SDK asks for. */
    private static final int MAX_BYTES = 2 << 20;

    private static final int CAPACITY = 1024;
    private static final int CALL_BYTES = 256;

    private final TopicAndPartition partition;
    private final int maxMessages;
    private final ThriftHead head;
    private final RequestBytes bytes = new RequestBytes(CAPACITY);
    private final ByteBuffer[] request = new ByteBuffer[1];
    private final ThriftReplies<GetMessageResponse> replies = new ThriftReplies<>(MessageMethods.GET_MESSAGE);

    ThriftGetRequest(LoadPlan plan, TopicAndPartition partition, InstantSource clock) {
        this.partition = partition;
        this.maxMessages = plan.content().messagesOfGet();
        this.head = new ThriftHead(plan, MessageMethods.GET_MESSAGE, clock);
    }

    @Override
    public ByteBuffer[] atLatest() {
        return call(LAST_MESSAGE, 1);
    }

    @Override
    public ByteBuffer[] at(long offset) {
        return call(offset, maxMessages);
    }

    private ByteBuffer[] call(long offset, int most) {
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(CALL_BYTES);
            MessageMethods.GET_MESSAGE.writeCall(
                    ThriftFormat.COMPACT.writing(buffer),
                    ThriftPutRequest.SEQUENCE_NUMBER,
                    new GetMessageRequest(partition, offset, ThriftPutRequest.SEQUENCE_ID)
                            .setMaxGetMessageNumber(most)
                            .setMaxGetMessageBytes(MAX_BYTES)
                            .setShowUnHandledMessageNumber(false));
            ByteSlice body = new ByteSlice(buffer.getArray(), 0, buffer.length());
            bytes.clear()
                    .put(ascii(head.lines(GalaxySignature.md5(body))))
                    .put(ascii("Content-Length: " + body.length() + "\r\n\r\n"))
                    .put(body.toByteArray());
            request[0] = bytes.flip();
            return request;
        } catch (TException e) {
            throw new IllegalStateException("writing to memory does not fail", e);
        }
    }

    @Override
    public boolean waits() {
        return false;
    }

    @Override
    public HttpAnswer newAnswer() {
        return ThriftReplies.newAnswer();
    }

    @Override
    public @Nullable Refusal refusal(HttpAnswer answer) {
        return replies.refusal(answer);
    }

    @Override
    public long nextOffset(HttpAnswer answer, long offset) {
        List<MessageBlock> blocks = Objects.requireNonNull(replies.result()).getMessageBlocks();
        if (blocks.isEmpty()) {
            return offset;
        }
        MessageBlock last = blocks.get(blocks.size() - 1);
        return last.getStartMessageOffset() + last.getMessageNumber();
    }
}
