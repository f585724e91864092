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
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/**
 * A reader's requests to the Thrift interface, which does not wait at the end of a partition: it answers with nothing. The
 * messages themselves are not opened.
 */
final class ThriftGetRequest extends GetRequest {

    private static final long LAST_MESSAGE = -2;
    /** What every SDK asks for. */
    private static final int MAX_BYTES = 2 << 20;

    private static final int CAPACITY = 1024;

    private final TopicAndPartition partition;
    private final int maxMessages;
    private final ThriftCalls<GetMessageRequest, GetMessageResponse> calls;
    private final RequestBytes bytes = new RequestBytes(CAPACITY);
    private final ByteBuffer[] request = new ByteBuffer[1];

    ThriftGetRequest(LoadPlan plan, TopicAndPartition partition, InstantSource clock) {
        this.partition = partition;
        this.maxMessages = plan.content().messagesOfGet();
        this.calls = new ThriftCalls<>(plan, MessageMethods.GET_MESSAGE, clock);
    }

    @Override
    ByteBuffer[] atLatest() {
        return call(LAST_MESSAGE, 1);
    }

    @Override
    ByteBuffer[] at(long from) {
        return call(from, maxMessages);
    }

    private ByteBuffer[] call(long offset, int most) {
        byte[] body = calls.body(new GetMessageRequest(partition, offset, ThriftCalls.SEQUENCE_ID)
                .setMaxGetMessageNumber(most)
                .setMaxGetMessageBytes(MAX_BYTES)
                .setShowUnHandledMessageNumber(false));
        bytes.clear()
                .put(ascii(calls.head(GalaxySignature.md5(new ByteSlice(body)))))
                .put(ascii("Content-Length: " + body.length + "\r\n\r\n"))
                .put(body);
        request[0] = bytes.flip();
        return request;
    }

    @Override
    boolean waits() {
        return false;
    }

    @Override
    public HttpAnswer newAnswer() {
        return ThriftCalls.newAnswer();
    }

    @Override
    public @Nullable Refusal refusal(HttpAnswer answer) {
        return calls.refusal(answer);
    }

    @Override
    long nextOffset(HttpAnswer answer, long asked) {
        List<MessageBlock> blocks = Objects.requireNonNull(calls.result()).getMessageBlocks();
        if (blocks.isEmpty()) {
            return asked;
        }
        MessageBlock last = blocks.get(blocks.size() - 1);
        return last.getStartMessageOffset() + last.getMessageNumber();
    }
}
