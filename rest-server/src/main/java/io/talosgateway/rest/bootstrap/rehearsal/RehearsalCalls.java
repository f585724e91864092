package io.talosgateway.rest.bootstrap.rehearsal;

import java.io.IOException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.thrift.DescribeTopicRequest;
import io.talosgateway.thrift.GetMessageRequest;
import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.TopicInfo;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.thrift.call.TopicMethods;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

/** Calls of the Talos interface of a rehearsal, as the Java SDK makes them: see {@link RehearsalClient}. For one thread at a time. */
final class RehearsalCalls {

    private static final String TYPE = ThriftFormat.COMPACT.contentType();
    /** So that puts are remembered, as those of the SDK are. */
    private static final String USER_AGENT = "Java-SDK/1.0.0 Java/rehearsal";
    /** What every SDK asks for. */
    private static final int MAX_BYTES = 2 << 20;

    private static final int MAX_MESSAGES = 10;
    private static final int CALL_BYTES = 256;

    /** The block of a put with one message, compressed as by an SDK that nobody has configured. */
    private static final ByteSlice BLOCK = MessageEncoder.encode(
                    List.of(new Message(
                            null, null, ByteSlice.utf8("message ".repeat(128)), 0L, null, Message.BINARY, null, null)),
                    MessageVersion.V2,
                    Compression.SNAPPY)
            .data();

    private final RehearsalConnection connection;
    private final RequestSigner signer;
    private @Nullable TopicInfo topic;

    RehearsalCalls(RehearsalConnection connection, AccessKey key) {
        this.connection = connection;
        this.signer = new RequestSigner(key.id(), key.secret(), InstantSource.system());
    }

    /** Before all others. */
    void findTopic(String name) throws IOException {
        topic = call(ThriftService.TOPIC, TopicMethods.DESCRIBE_TOPIC, new DescribeTopicRequest(name))
                .getTopicInfo();
    }

    void put(int partition, String sequenceId) throws IOException {
        MessageBlock block = new MessageBlock(0, 1, MessageCompressionType.SNAPPY, BLOCK.toByteBuffer())
                .setMessageBlockSize(BLOCK.length());
        call(
                ThriftService.MESSAGE,
                MessageMethods.PUT_MESSAGE,
                new PutMessageRequest(partition(partition), List.of(block), 1, sequenceId));
    }

    void get(int partition, long offset) throws IOException {
        call(
                ThriftService.MESSAGE,
                MessageMethods.GET_MESSAGE,
                new GetMessageRequest(partition(partition), offset, "rehearsal")
                        .setMaxGetMessageNumber(MAX_MESSAGES)
                        .setMaxGetMessageBytes(MAX_BYTES));
    }

    private TopicAndPartition partition(int number) {
        TopicInfo found = Objects.requireNonNull(topic);
        return new TopicAndPartition(found.getTopicName(), found.getTopicTalosResourceName(), number);
    }

    private <A, R> R call(ThriftService service, ThriftMethod<A, R> method, A arguments) throws IOException {
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(CALL_BYTES);
            method.writeCall(ThriftFormat.COMPACT.writing(buffer), 1, arguments);
            byte[] body = Arrays.copyOf(buffer.getArray(), buffer.length());
            Map<String, String> headers =
                    new HashMap<>(signer.headers(service.path(), TYPE, GalaxySignature.md5(new ByteSlice(body))));
            headers.put("User-Agent", USER_AGENT);
            byte[] answer = connection.ask(service.path(), TYPE, body, headers);
            return Objects.requireNonNull(method.readReply(ThriftFormat.COMPACT.reading(new ByteSlice(answer))));
        } catch (TException e) {
            throw new IOException(e);
        }
    }
}
