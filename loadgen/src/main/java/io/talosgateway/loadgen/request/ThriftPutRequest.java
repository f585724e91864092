package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/**
 * A producer's requests to the Thrift interface. What is around a body of the ring, and its digest, are made when the body is
 * put for the first time; the signature again when it is {@value #SIGNATURE_MS} ms old, which gateways take.
 */
final class ThriftPutRequest extends PutRequest {

    private static final long SIGNATURE_MS = 60_000;

    /** A call around a body of the ring. */
    private static final class Call {

        private final byte[] before;
        private final ByteBuffer after;
        private final String digest;
        private final byte[] lengthLine;
        private byte[] head = new byte[0];
        private long signedAtMs = Long.MIN_VALUE;

        /** @param body with the block in it */
        Call(byte[] body, byte[] block) {
            int from = 0;
            while (!Arrays.equals(body, from, from + block.length, block, 0, block.length)) {
                from++;
            }
            int afterBytes = body.length - from - block.length;
            this.before = Arrays.copyOf(body, from);
            this.after = ByteBuffer.allocateDirect(afterBytes).put(body, from + block.length, afterBytes);
            this.digest = GalaxySignature.md5(new ByteSlice(body));
            this.lengthLine = ascii("Content-Length: " + body.length + "\r\n");
        }
    }

    private final MessageCompression compression;
    private final TopicAndPartition partition;
    private final InstantSource clock;
    private final ThriftCalls<PutMessageRequest, PutMessageResponse> method;
    private final Call[] calls;
    private final ByteBuffer block;
    private final ByteBuffer[] request;

    ThriftPutRequest(
            LoadPlan plan,
            int producer,
            Bodies bodies,
            TopicAndPartition partition,
            @Nullable String keyPrefix,
            InstantSource clock) {
        super(plan, producer, bodies, keyPrefix);
        this.compression = plan.content().compression();
        this.partition = partition;
        this.clock = clock;
        this.method = new ThriftCalls<>(plan, MessageMethods.PUT_MESSAGE, clock);
        this.calls = new Call[bodies.count()];
        this.block = bodies.bytes();
        this.request = new ByteBuffer[] {block, block, block};
    }

    @Override
    ByteBuffer[] layOut(int slot, Bodies.Body next, long put) {
        block.limit(next.from() + next.length()).position(next.from());
        Call call = calls[slot];
        if (call == null) {
            call = prepare(next);
            calls[slot] = call;
        }
        sign(call);
        head.clear().put(call.head);
        layOutKey(put);
        head.put(call.lengthLine).put(LINE_END).put(call.before);
        request[0] = head.flip();
        request[2] = call.after.clear();
        return request;
    }

    private void sign(Call call) {
        long nowMs = clock.millis();
        if (nowMs - SIGNATURE_MS >= call.signedAtMs) {
            call.head = ascii(method.head(call.digest) + timeoutLine);
            call.signedAtMs = nowMs;
        }
    }

    private Call prepare(Bodies.Body of) {
        byte[] data = new byte[of.length()];
        block.get(block.position(), data);
        MessageBlock its = new MessageBlock(
                        0,
                        of.messages(),
                        MessageCompressionType.findByValue(compression.blockCode()),
                        ByteBuffer.wrap(data))
                .setMessageBlockSize(of.length())
                .setCreateTimestamp(clock.millis());
        return new Call(
                method.body(new PutMessageRequest(partition, List.of(its), of.messages(), ThriftCalls.SEQUENCE_ID)),
                data);
    }

    @Override
    public HttpAnswer newAnswer() {
        return ThriftCalls.newAnswer();
    }

    @Override
    public @Nullable Refusal refusal(HttpAnswer answer) {
        return method.refusal(answer);
    }
}
