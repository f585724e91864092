package io.talosgateway.loadgen.request;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;

import io.talosgateway.loadgen.content.Bodies;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.http.HttpAnswer;
import io.talosgateway.loadgen.http.Refusal;
import io.talosgateway.loadgen.http.RequestBytes;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/**
 * A producer's requests to the Thrift interface. What is around a body of the ring, and its digest, are made when the body is
 * put for the first time; the signature again when it is {@value #SIGNATURE_MS} ms old, which gateways take.
 */
public final class ThriftPutRequest implements LoadPut {

    /** The SDKs number every call so. */
    public static final int SEQUENCE_NUMBER = 1;

    /** The interface wants one. Clients that are not an SDK of Java are not told apart by it. */
    public static final String SEQUENCE_ID = "talos-loadgen";

    private static final long SIGNATURE_MS = 60_000;
    private static final int CAPACITY = 1024;
    private static final byte[] QUOTED_LINE_END = ascii("\"\r\n");
    private static final byte[] HEAD_END = ascii("\r\n");

    /** A call around a body of the ring. */
    private static final class Call {
        private final byte[] before;
        private final ByteBuffer after;
        private final String digest;
        private final byte[] lengthLine;
        private byte[] head = new byte[0];
        private long signedAtMs = Long.MIN_VALUE;

        Call(byte[] before, byte[] after, String digest, int bodyBytes) {
            this.before = before;
            this.after = ByteBuffer.allocateDirect(after.length).put(after);
            this.digest = digest;
            this.lengthLine = ascii("Content-Length: " + (before.length + bodyBytes + after.length) + "\r\n");
        }
    }

    private final Bodies bodies;
    private final int producer;
    private final MessageCompression compression;
    private final TopicAndPartition partition;
    private final ThriftHead head;
    private final InstantSource clock;
    private final String timeoutLine;
    private final byte @Nullable [] keyStart;
    private final Call[] calls;
    private final RequestBytes start = new RequestBytes(CAPACITY);
    private final ByteBuffer block;
    private final ByteBuffer[] request;
    private final ThriftReplies<PutMessageResponse> replies = new ThriftReplies<>(MessageMethods.PUT_MESSAGE);
    private Bodies.Body body;

    /** @param keyPrefix what the idempotency keys of this producer begin with; null for no keys */
    ThriftPutRequest(
            LoadPlan plan,
            int producer,
            Bodies bodies,
            TopicAndPartition partition,
            @Nullable String keyPrefix,
            InstantSource clock) {
        this.bodies = bodies;
        this.producer = producer;
        this.compression = plan.content().compression();
        this.partition = partition;
        this.head = new ThriftHead(plan, MessageMethods.PUT_MESSAGE, clock);
        this.clock = clock;
        this.timeoutLine = plan.content().timeout() == null
                ? ""
                : "Talos-Timeout-Ms: " + plan.content().timeout().toMillis() + "\r\n";
        this.keyStart = keyPrefix == null ? null : ascii("Idempotency-Key: \"" + keyPrefix);
        this.calls = new Call[bodies.count()];
        this.block = bodies.bytes();
        this.request = new ByteBuffer[] {block, block, block};
        this.body = bodies.body(0);
    }

    @Override
    public ByteBuffer[] number(long put) {
        int slot = bodies.slot(producer, put);
        body = bodies.body(slot);
        Call call = calls[slot];
        if (call == null) {
            call = prepare(body);
            calls[slot] = call;
        }
        sign(call);
        start.clear().put(call.head);
        if (keyStart != null) {
            start.put(keyStart).hexadecimal(put).put(QUOTED_LINE_END);
        }
        start.put(call.lengthLine).put(HEAD_END).put(call.before);
        request[0] = start.flip();
        block.limit(body.from() + body.length()).position(body.from());
        request[2] = call.after.clear();
        return request;
    }

    private void sign(Call call) {
        long nowMs = clock.millis();
        if (nowMs - SIGNATURE_MS >= call.signedAtMs) {
            call.head = ascii(head.lines(call.digest) + timeoutLine);
            call.signedAtMs = nowMs;
        }
    }

    private Call prepare(Bodies.Body of) {
        ByteBuffer data = bodies.bytes();
        data.limit(of.from() + of.length()).position(of.from());
        MessageBlock its = new MessageBlock(
                        0, of.messages(), MessageCompressionType.findByValue(compression.blockCode()), data)
                .setMessageBlockSize(of.length())
                .setCreateTimestamp(clock.millis());
        try {
            SplitTransport around = new SplitTransport();
            MessageMethods.PUT_MESSAGE.writeCall(
                    ThriftFormat.COMPACT.writing(around),
                    SEQUENCE_NUMBER,
                    new PutMessageRequest(partition, List.of(its), of.messages(), SEQUENCE_ID));
            return new Call(around.before(), around.after(), digest(around, data.duplicate()), of.length());
        } catch (TException e) {
            throw new IllegalStateException("writing to memory does not fail", e);
        }
    }

    private static String digest(SplitTransport around, ByteBuffer data) {
        try {
            MessageDigest md5 = MessageDigest.getInstance("MD5");
            md5.update(around.before());
            md5.update(data);
            md5.update(around.after());
            return HexFormat.of().formatHex(md5.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has MD5", e);
        }
    }

    @Override
    public Bodies.Body body() {
        return body;
    }

    @Override
    public HttpAnswer newAnswer() {
        return ThriftReplies.newAnswer();
    }

    @Override
    public @Nullable Refusal refusal(HttpAnswer answer) {
        return replies.refusal(answer);
    }
}
