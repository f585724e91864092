package io.talosgateway.loadgen.nullserver;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.request.ThriftCalls;
import io.talosgateway.thrift.PutMessageResponse;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;

import static io.talosgateway.loadgen.http.RequestBytes.ascii;

/** What the null server answers: success, with about as many bytes as a gateway sends. Immutable. */
final class NullAnswers {

    private static final String STORED = """
            {"topic":"loadgen","partition":0,"firstOffset":0,"count":1,"durability":"memory","repeat":false,\
            "appendedAtMs":1600000000000}""";
    private static final String TOPIC = """
            {"name":"null","resourceName":"1#null","owner":"nobody","partitions":1000000,"retentionMs":1000,\
            "attributes":{},"createdAtMs":1600000000000}""";
    private static final int CAPACITY = 64;
    private static final Pattern OFFSET = Pattern.compile("[?&]offset=(\\d{1,18})[& ]");

    private final ByteBuffer put;
    private final ByteBuffer thriftPut;
    private final ByteBuffer topic;
    private final byte[] body;
    private final ByteBuffer gets;

    /** @param bytesOfGet of the body of an answer to a get */
    NullAnswers(int bytesOfGet) {
        put = answer("Content-Type: application/json\r\n", ascii(STORED));
        topic = answer("Content-Type: application/json\r\n", ascii(TOPIC));
        thriftPut = answer("Content-Type: " + ThriftFormat.COMPACT.contentType() + "\r\n", thriftStored());
        body = ascii("x".repeat(bytesOfGet));
        gets = ByteBuffer.allocateDirect(body.length).put(body).flip();
    }

    private static byte[] thriftStored() {
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(CAPACITY);
            MessageMethods.PUT_MESSAGE.writeResult(
                    ThriftFormat.COMPACT.writing(buffer),
                    ThriftCalls.SEQUENCE_NUMBER,
                    new PutMessageResponse(ThriftCalls.SEQUENCE_ID));
            return Arrays.copyOf(buffer.getArray(), buffer.length());
        } catch (TException e) {
            throw new IllegalStateException("writing to memory does not fail", e);
        }
    }

    private static ByteBuffer answer(String headers, byte[] body) {
        byte[] head = head(headers, body);
        return ByteBuffer.allocateDirect(head.length + body.length)
                .put(head)
                .put(body)
                .flip();
    }

    private static byte[] head(String headers, byte[] body) {
        return ascii("HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + body.length + "\r\n\r\n");
    }

    /** The answer to a request. */
    ByteBuffer[] to(NullRequest request) {
        String line = request.firstLine();
        if (line.startsWith("POST ")) {
            return one(line.contains("?type=putMessage") ? thriftPut : put);
        }
        return line.contains("/messages") ? messages(line) : one(topic);
    }

    private static ByteBuffer[] one(ByteBuffer answer) {
        return new ByteBuffer[] {answer.duplicate()};
    }

    /** A get finds one message, where it asks for it. */
    private ByteBuffer[] messages(String line) {
        Matcher offset = OFFSET.matcher(line);
        long next = offset.find() ? Long.parseLong(offset.group(1)) + 1 : 0;
        byte[] head = head("Content-Type: application/json\r\nTalos-Next-Offset: " + next + "\r\n", body);
        return new ByteBuffer[] {ByteBuffer.wrap(head), gets.duplicate()};
    }
}
