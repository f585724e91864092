package io.talosgateway.rest.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

import io.talosgateway.thrift.MessageBlock;
import io.talosgateway.thrift.MessageCompressionType;
import io.talosgateway.thrift.PutMessageRequest;
import io.talosgateway.thrift.TopicAndPartition;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.Message;
import io.talosgateway.wire.message.format.Compression;
import io.talosgateway.wire.message.format.MessageEncoder;
import io.talosgateway.wire.message.format.MessageVersion;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one raw connection, each with what has to become of it. They depend on the seed and the connection's number
 * alone. For one thread.
 */
final class HostileRequests {

    static final String SERVED_TOPIC = "served";
    static final String MUTATED_TOPIC = "mutated";
    static final String HIDDEN_TOPIC = "hidden";
    static final String EMPTY_TOPIC = "empty";

    private static final int MOST_REQUESTS = 8;
    private static final String LF = Character.toString('\n');

    /** What has to become of a request. */
    enum Verdict {
        /** Answered as it says; what follows on the connection is served. */
        SERVED,
        /** Answered as it says; then the connection ends. */
        SERVED_LAST,
        /** Refused by its status, if there is one; what follows is served, or the connection ends. */
        DENIED,
        /** Not carried out, and the connection ends, with a refusal or without. */
        REFUSED,
        /** Served or refused: both are correct. */
        EITHER,
        /** Nothing is known of it, nor of what follows. */
        UNKNOWN
    }

    /** By what an answer is known to be the answer to this request. */
    enum Proof {
        /** The offset at which the message is found afterwards. */
        OFFSET,
        /** The number of a Thrift call. */
        SEQUENCE_ID,
        /** The name of a topic that does not exist. */
        NAME,
        /** The status alone. */
        STATUS
    }

    /**
     * One request.
     *
     * @param shape what is special about it, for people
     * @param wire its bytes, each a character
     * @param status of the answer if it is served or denied; 0 for any refusal
     * @param id unlike that of any other request of a run
     * @param stored the message that is stored if it is served; null if it stores none
     */
    record Request(
            String shape,
            String wire,
            Verdict verdict,
            Proof proof,
            int status,
            int id,
            @Nullable String stored) {

        boolean isHead() {
            return wire.startsWith("HEAD ");
        }

        boolean mayHaveContinue() {
            return wire.contains("100-continue");
        }

        /** Whether it waits for messages: a client that closes its half of the connection then counts as gone. */
        boolean waits() {
            return wire.contains("wait=");
        }
    }

    private final SplittableRandom random;
    private final String authorization;
    private final TopicAndPartition servedPartition;
    private final int number;
    private int id;

    HostileRequests(long seed, int number, String authorization, TopicAndPartition servedPartition) {
        this.random = new SplittableRandom(seed * 1_000_003 + number);
        this.number = number;
        this.authorization = authorization;
        this.servedPartition = servedPartition;
    }

    /** For what the client does with the bytes. */
    SplittableRandom random() {
        return random;
    }

    /** Several requests, mostly good ones around hostile ones; the last ends the connection if it is served. */
    List<Request> connection() {
        List<Request> requests = new ArrayList<>();
        int most = 1 + random.nextInt(MOST_REQUESTS - 1);
        boolean known = true;
        for (int index = 0; index < most; index++) {
            Request request = one();
            // Whether an answer has a body depends on the request: it must be known which one it is for.
            if (known || !request.isHead()) {
                requests.add(request);
            }
            known &= request.verdict() != Verdict.UNKNOWN;
        }
        id++;
        requests.add(put("the last", Verdict.SERVED_LAST, "HTTP/1.1", value(false), "Connection: close"));
        return requests;
    }

    private Request one() {
        id++;
        return switch (random.nextInt(12)) {
            case 0, 1, 2 -> good();
            case 3 -> lengths();
            case 4 -> encodings();
            case 5 -> chunks();
            case 6 -> heads();
            case 7 -> lines();
            case 8 -> hosts();
            case 9 -> meanings();
            case 10 -> denied();
            default -> mutated();
        };
    }

    // --- parts ---

    private int id() {
        return number * (MOST_REQUESTS + 1) + id;
    }

    @SafeVarargs
    private <T> T any(T... of) {
        return of[random.nextInt(of.length)];
    }

    /** The value of a message that is unlike any other; some have a whole request inside, that nobody may carry out. */
    private String value(boolean hiding) {
        return "s" + id() + "." + (hiding || random.nextInt(3) == 0 ? "\r\n" + hidden() : "");
    }

    private String hidden() {
        return "POST " + path(HIDDEN_TOPIC) + " HTTP/1.1\r\nHost: x\r\n" + fields() + "Content-Length: 6\r\n\r\nhidden";
    }

    private static String path(String topic) {
        return "/v1/topics/" + topic + "/partitions/0/messages";
    }

    private String fields() {
        return "Authorization: " + authorization + "\r\nContent-Type: application/octet-stream\r\n";
    }

    private static String lines(String... lines) {
        StringBuilder text = new StringBuilder();
        for (String line : lines) {
            text.append(line).append("\r\n");
        }
        return text.toString();
    }

    private static String chunked(String content) {
        return Integer.toHexString(content.length()) + "\r\n" + content + "\r\n0\r\n\r\n";
    }

    /** A put of an octet stream, whose framing the caller gives. */
    private Request raw(String shape, Verdict verdict, String head, String body, @Nullable String stored) {
        return new Request(shape, head + "\r\n" + body, verdict, Proof.OFFSET, 200, id(), stored);
    }

    private String head(String version) {
        return "POST " + path(SERVED_TOPIC) + " " + version + "\r\nHost: x\r\n" + fields();
    }

    private Request put(String shape, Verdict verdict, String version, String value, String... more) {
        return raw(
                shape,
                verdict,
                head(version) + lines(more) + "Content-Length: " + value.length() + "\r\n",
                value,
                value);
    }

    private Request named(String shape, Verdict verdict, String method, String target, String version, String... more) {
        return new Request(
                shape,
                method + " " + target + " " + version + "\r\nHost: x\r\nAuthorization: " + authorization + "\r\n"
                        + lines(more) + "\r\n",
                verdict,
                method.equals("HEAD") ? Proof.STATUS : Proof.NAME,
                404,
                id(),
                null);
    }

    private String unknownTopic() {
        return "/v1/topics/n" + id() + "n";
    }

    // --- requests ---

    private Request good() {
        String value = value(false);
        return switch (random.nextInt(9)) {
            case 0 -> put("put", Verdict.SERVED, "HTTP/1.1", value);
            case 1 -> json();
            case 2 -> talos(any(ThriftFormat.values()), false);
            case 3 -> talos(any(ThriftFormat.values()), true);
            case 4 -> named("get", Verdict.SERVED, "GET", unknownTopic(), "HTTP/1.1");
            case 5 -> named("head", Verdict.SERVED, "HEAD", unknownTopic(), "HTTP/1.1");
            case 6 ->
                new Request(
                        "get that waits",
                        "GET " + path(EMPTY_TOPIC) + "?offset=latest&wait=" + any("1ms", "20ms", "60ms")
                                + " HTTP/1.1\r\nHost: x\r\nAuthorization: " + authorization + "\r\n\r\n",
                        Verdict.SERVED,
                        Proof.STATUS,
                        200,
                        id(),
                        null);
            case 7 ->
                raw(
                        "chunked put",
                        Verdict.SERVED,
                        head("HTTP/1.1") + "Transfer-Encoding: " + any("chunked", "Chunked", " chunked\t ") + "\r\n",
                        manyChunks(value),
                        value);
            default ->
                put(
                        "put that expects",
                        Verdict.SERVED,
                        "HTTP/1.1",
                        value,
                        "Expect: " + any("100-continue", "100-Continue"));
        };
    }

    /** In chunks of any size, with extensions and trailers at times. */
    private String manyChunks(String value) {
        StringBuilder body = new StringBuilder();
        for (int from = 0; from < value.length(); ) {
            int to = Math.min(value.length(), from + 1 + random.nextInt(40));
            body.append(any("", "0", "000"))
                    .append(Integer.toHexString(to - from))
                    .append(any("", "", ";a", ";a=b", ";a=\"b;c\""))
                    .append("\r\n")
                    .append(value, from, to)
                    .append("\r\n");
            from = to;
        }
        return body + any("0", "00", "0;a=b") + "\r\n" + any("", "", "X-Trailer: a\r\n", "Expires: 0\r\nX-B:\r\n")
                + "\r\n";
    }

    private Request json() {
        String value = "s" + id() + ".";
        String body = "{\"messages\":[{\"value\":\"" + value + "\"}]}";
        return new Request(
                "put as JSON",
                "POST " + path(SERVED_TOPIC) + " HTTP/1.1\r\nhost:x\r\nAUTHORIZATION: " + authorization
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n" + body,
                Verdict.SERVED,
                Proof.OFFSET,
                200,
                id(),
                value);
    }

    private Request talos(ThriftFormat format, boolean chunked) {
        String value = "s" + id() + ".";
        String body = thriftPut(format, value);
        return new Request(
                "put with " + format,
                "POST /v1/api/message?type=putMessage&id=" + id() + " HTTP/1.1\r\nHost: x\r\nAuthorization: "
                        + authorization
                        + "\r\nContent-Type: " + format.contentType() + "\r\n"
                        + (chunked
                                ? "Transfer-Encoding: chunked\r\n\r\n" + manyChunks(body)
                                : "Content-Length: " + body.length() + "\r\n\r\n" + body),
                Verdict.SERVED,
                Proof.SEQUENCE_ID,
                200,
                id(),
                value);
    }

    private String thriftPut(ThriftFormat format, String value) {
        var block = MessageEncoder.encode(
                List.of(new Message(null, null, ByteSlice.utf8(value), 1L, null, Message.BINARY, null, null)),
                MessageVersion.V2,
                Compression.NONE);
        var put = new PutMessageRequest(
                servedPartition,
                List.of(new MessageBlock(
                        0, 1, MessageCompressionType.NONE, block.data().toByteBuffer())),
                1,
                "p" + id() + "#1");
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(256);
            MessageMethods.PUT_MESSAGE.writeCall(format.writing(buffer), id(), put);
            return new String(Arrays.copyOf(buffer.getArray(), buffer.length()), StandardCharsets.ISO_8859_1);
        } catch (TException e) {
            throw new AssertionError(e);
        }
    }

    /** A put whose body looks like the end of a request and a further one, by its length or by its chunks. */
    private Request twoFramings(String shape, String length, String encoding) {
        if (random.nextBoolean()) {
            // By the length all of it is a body; by the chunks, the hidden request begins.
            String body = "0\r\n\r\n" + hidden();
            return raw(
                    shape + ", ended by chunks",
                    Verdict.REFUSED,
                    head("HTTP/1.1") + framings(length + body.length(), encoding),
                    body,
                    null);
        }
        // By the chunks all of it is a body; by the length, the hidden request begins.
        String body = chunked(hidden());
        return raw(
                shape + ", ended by length",
                Verdict.REFUSED,
                head("HTTP/1.1") + framings(length + (body.indexOf('\n') + 1), encoding),
                body,
                null);
    }

    private String framings(String length, String encoding) {
        return random.nextBoolean() ? lines(length, encoding) : lines(encoding, length);
    }

    private Request lengths() {
        String value = value(true);
        int start = value.indexOf('\n') + 1;
        int size = value.length();
        return switch (random.nextInt(6)) {
            case 0 ->
                raw(
                        "two lengths",
                        Verdict.REFUSED,
                        head("HTTP/1.1")
                                + framings(
                                        "Content-Length: " + size, any("Content-Length: ", "content-length:") + start),
                        value,
                        null);
            case 1 ->
                raw(
                        "the same length twice",
                        Verdict.EITHER,
                        head("HTTP/1.1") + framings("Content-Length: " + size, "Content-Length: " + size),
                        value,
                        value);
            case 2 ->
                raw(
                        "list of lengths",
                        Verdict.REFUSED,
                        head("HTTP/1.1") + "Content-Length: " + any(size + ", " + start, start + "," + size) + "\r\n",
                        value,
                        null);
            case 3 -> {
                String length = any(
                        "-1",
                        "+" + size,
                        "-" + size,
                        "0x" + Integer.toHexString(size),
                        size + " " + start,
                        "",
                        "99999999999999999999",
                        "18446744073709551616",
                        "4294967296" + start,
                        size + ".0",
                        size + "e0",
                        "\"" + size + "\"",
                        size + ";",
                        size + "\u000b",
                        "\u00b2");
                yield raw(
                        "length " + length,
                        Verdict.REFUSED,
                        head("HTTP/1.1") + "Content-Length: " + length + "\r\n",
                        value,
                        null);
            }
            case 4 ->
                raw(
                        "length with blanks or zeros",
                        Verdict.EITHER,
                        head("HTTP/1.1") + "Content-Length:" + any(" \t" + size + "\t ", "000" + size) + "\r\n",
                        value,
                        value);
            default -> twoFramings("length and encoding", "Content-Length: ", "Transfer-Encoding: chunked");
        };
    }

    private Request encodings() {
        String encoding = any(
                "Transfer-Encoding: xchunked",
                "Transfer-Encoding: identity",
                "Transfer-Encoding: chunked, identity",
                "Transfer-Encoding: chunked, chunked",
                "Transfer-Encoding: gzip, chunked",
                "Transfer-Encoding: gzip",
                "Transfer-Encoding: chunked;q=1",
                "Transfer-Encoding: chunked x",
                "Transfer-Encoding: \"chunked\"",
                "Transfer-Encoding: \u000bchunked",
                "Transfer-Encoding: chunked\u0000",
                "Transfer-Encoding: chun\u0000ked",
                "Transfer-Encoding: \u00a0chunked",
                "Transfer-Encoding: x\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding:\r\n chunked",
                "Transfer-Encoding :chunked",
                "Transfer-Encoding\t: chunked",
                " Transfer-Encoding: chunked",
                "X: a\r\n\tTransfer-Encoding: chunked",
                "X: a\rTransfer-Encoding: chunked",
                "Transfer-Encoding\u0000: chunked",
                "Transfer-Encoding\r\n: chunked",
                "Transfer-Encoding:");
        int way = random.nextInt(4);
        if (way == 0) {
            return raw(
                    encoding,
                    Verdict.REFUSED,
                    head("HTTP/1.1") + encoding + "\r\n",
                    random.nextBoolean() ? "0\r\n\r\n" + hidden() : chunked(hidden()),
                    null);
        }
        if (way == 1) {
            // Other fields: the length holds.
            String body = "s" + id() + ".\r\n0\r\n\r\n" + hidden();
            String field = any(
                    "TE: chunked",
                    "Transfer_Encoding: chunked",
                    "X-Transfer-Encoding: chunked",
                    "Transfer-Encodin: chunked");
            return raw(
                    field,
                    Verdict.SERVED,
                    head("HTTP/1.1") + framings("Content-Length: " + body.length(), field),
                    body,
                    body);
        }
        return twoFramings(encoding, "Content-Length: ", encoding);
    }

    private Request chunks() {
        String hidden = hidden();
        String size = Integer.toHexString(hidden.length());
        String body = switch (random.nextInt(7)) {
            case 6 -> "1;a=\"b\r\nX\r\n0\r\n\r\n" + hidden;
            case 0 ->
                any(
                                "-" + size,
                                "+" + size,
                                "0x" + size,
                                " " + size,
                                "\t" + size,
                                "",
                                "g",
                                ";a",
                                "ffffffffffffffff",
                                "fffffffffffffff" + size,
                                "80000000",
                                "100000000",
                                "10000000000000000" + size,
                                size + " 1",
                                size + ",1",
                                "\u0000" + size,
                                size + "\u0000",
                                size + ";" + "a".repeat(20_000))
                        + "\r\n" + hidden + "\r\n0\r\n\r\n";
            // The chunk is longer, or shorter, than its size says.
            case 1 -> size + "\r\n" + hidden + "xx0\r\n\r\n";
            case 2 -> Integer.toHexString(hidden.length() + 5) + "\r\n" + hidden + "\r\n0\r\n\r\n" + hidden;
            // An end of line that some take for one, and others do not.
            case 3 ->
                "2;\nxx\r\n" + Integer.toHexString(hidden.length() + 5) + "\r\n0\r\n\r\n" + hidden + "\r\n0\r\n\r\n";
            case 4 -> any(size + LF, size + "\r", size + "\r\r\n", size + ";a" + LF) + hidden + "\r\n0\r\n\r\n";
            default ->
                "1\r\nx\r\n0\r\n"
                        + any("a b: c", "no colon", ": x", " folded: x", "a: b\u0000", "a\u0000: b", "a: b\rc")
                        + "\r\n\r\n" + hidden;
        };
        return raw(
                "chunks " + body.substring(0, Math.min(20, body.length())),
                Verdict.REFUSED,
                head("HTTP/1.1") + "Transfer-Encoding: chunked\r\n",
                body,
                null);
    }

    private Request heads() {
        String value = value(true);
        String length = "Content-Length: " + value.length() + "\r\n";
        String both = length + any("", "Content-Length: 0\r\n");
        return switch (random.nextInt(4)) {
            case 0 -> raw("bare LF", Verdict.EITHER, (head("HTTP/1.1") + length).replace("\r\n", LF), value, value);
            case 1 ->
                put(
                        "unusual but good",
                        Verdict.SERVED,
                        "HTTP/1.1",
                        value,
                        any(
                                "X:",
                                "X: \t ",
                                "X: a, b, ;;; \"",
                                "!#$%&'*+.^_`|~-: x",
                                "Keep-Alive: timeout=0, max=0",
                                "Connection: keep-alive",
                                "Connection: x-unknown",
                                "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
                                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
                                "X-HTTP-Method-Override: DELETE",
                                "X-Original-URL: /v1/topics/" + HIDDEN_TOPIC,
                                "X-Request-Id: " + "r".repeat(4000)));
            case 2 -> put("head that is too large", Verdict.REFUSED, "HTTP/1.1", value, "X: " + "x".repeat(9000));
            default -> {
                String bad = any(
                        "X : a",
                        "X\t: a",
                        " X: a",
                        "X: a\r\n b",
                        "X: a\r\n\tb",
                        "X",
                        ": a",
                        "X: a\u0000b",
                        "X\u0000: a",
                        "X: a\rb",
                        "X y: a",
                        "X\"y: a",
                        "X\u00e4: a",
                        "\u007f: a",
                        "Content-Length\u0000: 0");
                yield raw(
                        "bad field " + bad,
                        Verdict.REFUSED,
                        head("HTTP/1.1") + (random.nextBoolean() ? bad + "\r\n" + both : both + bad + "\r\n"),
                        value,
                        null);
            }
        };
    }

    private Request lines() {
        String value = value(true);
        String rest = "Host: x\r\n" + fields() + "Content-Length: " + value.length() + "\r\n";
        String path = path(SERVED_TOPIC);
        return switch (random.nextInt(8)) {
            case 0 ->
                new Request(
                        "HTTP/0.9",
                        any("GET " + path, "GET /v1/topics", "POST " + path) + "\r\n" + any("", hidden()),
                        Verdict.REFUSED,
                        Proof.STATUS,
                        0,
                        id(),
                        null);
            case 1 -> {
                String line = any(
                        "POST " + path + " HTTP/2.0",
                        "POST " + path + " HTTP/1.2",
                        "POST " + path + " HTTP/0.9",
                        "POST " + path + " HTTP/1.1x",
                        "POST " + path + " HTTP/1.",
                        "POST " + path + " XTTP/1.1",
                        "POST " + path + " HTTP/1.1 HTTP/1.1",
                        "POST " + path + " x HTTP/1.1",
                        "POST\u0000 " + path + " HTTP/1.1",
                        "POST " + path + "\u0000 HTTP/1.1",
                        "P(ST " + path + " HTTP/1.1",
                        "PRI * HTTP/2.0",
                        "POST " + "/x".repeat(5000) + " HTTP/1.1",
                        "\u0016\u0003\u0001\u0002\u0000",
                        "POST http://a b" + path + " HTTP/1.1");
                yield raw(
                        "request line " + line.substring(0, Math.min(60, line.length())),
                        Verdict.REFUSED,
                        line + "\r\n" + rest,
                        value,
                        null);
            }
            case 2 ->
                raw(
                        "odd request line",
                        Verdict.EITHER,
                        any(
                                        "POST  " + path + " HTTP/1.1",
                                        "POST " + path + "  HTTP/1.1",
                                        "POST " + path + " HTTP/1.1 ",
                                        "POST\t" + path + " HTTP/1.1",
                                        " POST " + path + " HTTP/1.1",
                                        "post " + path + " HTTP/1.1",
                                        "POST " + path + " http/1.1",
                                        "POST " + path + "# HTTP/1.1",
                                        "POST " + path + "? HTTP/1.1",
                                        "POST /" + path + " HTTP/1.1",
                                        "POST " + path.replace("served", "served;x=y") + " HTTP/1.1",
                                        "POST " + path.replace("served", "%73erved") + " HTTP/1.1")
                                + "\r\n" + rest,
                        value,
                        value);
            case 3 -> {
                String target = any(
                        "http://",
                        "http://x:99999" + path,
                        "http://[::1" + path,
                        "http://x@y" + path,
                        path.replace("served", "..%2fserved"),
                        path.replace("served", "%2e%2e/served"),
                        path.replace("served", "serve%00d"),
                        "/.." + path,
                        "*");
                yield new Request(
                        "target " + target,
                        "POST " + target + " HTTP/1.1\r\n" + rest + "\r\n" + value,
                        Verdict.DENIED,
                        Proof.STATUS,
                        0,
                        id(),
                        null);
            }
            case 4 ->
                raw("absolute target", Verdict.SERVED, "POST http://x" + path + " HTTP/1.1\r\n" + rest, value, value);
            case 5 ->
                raw(
                        "empty lines before",
                        Verdict.EITHER,
                        any("\r\n", "\r\n\r\n") + "POST " + path + " HTTP/1.1\r\n" + rest,
                        value,
                        value);
            case 6 -> put("HTTP/1.0", Verdict.SERVED_LAST, "HTTP/1.0", value);
            default ->
                put(
                        "HTTP/1.0 that stays",
                        Verdict.EITHER,
                        "HTTP/1.0",
                        value,
                        "Connection: " + any("keep-alive", "Keep-Alive, close", "close, keep-alive"));
        };
    }

    private Request hosts() {
        String value = value(true);
        String target = any("", "http://x") + path(SERVED_TOPIC);
        String hosts = any(
                "",
                "Host: x\r\nHost: x\r\n",
                "Host: x\r\nHost: y\r\n",
                "Host: x y\r\n",
                "Host: x/y\r\n",
                "Host: x@y\r\n",
                "Host: x:99999\r\n",
                "Host: x:y\r\n",
                "Host: [::1\r\n",
                "Host: x, y\r\n",
                "Host: x\u0000\r\n",
                "Host : x\r\n");
        boolean other = random.nextInt(5) == 0;
        return raw(
                other ? "another host" : "host " + hosts,
                other ? Verdict.EITHER : Verdict.REFUSED,
                "POST " + target + " HTTP/1.1\r\n" + (other ? any("Host: y\r\n", "Host:\r\n") : hosts) + fields()
                        + "Content-Length: " + value.length() + "\r\n",
                value,
                other ? value : null);
    }

    private Request meanings() {
        String value = value(true);
        return switch (random.nextInt(7)) {
            case 0 ->
                put(
                        "closes",
                        Verdict.SERVED_LAST,
                        "HTTP/1.1",
                        value,
                        "Connection: " + any("close", "Close", "keep-alive, close"));
            case 1 ->
                put(
                        "hides its length",
                        Verdict.EITHER,
                        "HTTP/1.1",
                        value,
                        "Connection: " + any("Content-Length", "Host, Authorization", "close, Content-Length"));
            case 2 ->
                put(
                        "expects what is not known",
                        Verdict.EITHER,
                        "HTTP/1.1",
                        value,
                        "Expect: " + any("200-ok", "100-continue, x", "\"\""));
            case 3 -> {
                String target = any("x:443", "/v1/topics", "http://x/");
                yield new Request(
                        "connect " + target,
                        "CONNECT " + target + " HTTP/1.1\r\nHost: x:443\r\nAuthorization: " + authorization
                                + "\r\nContent-Length: " + hidden().length() + "\r\n\r\n" + hidden(),
                        target.endsWith("3") ? Verdict.DENIED : Verdict.REFUSED,
                        Proof.STATUS,
                        0,
                        id(),
                        null);
            }
            case 4 ->
                raw(
                        "HTTP/1.0 with chunks",
                        Verdict.EITHER,
                        head("HTTP/1.0")
                                + lines("Transfer-Encoding: chunked", "Connection: " + any("keep-alive", "close")),
                        chunked(value),
                        value);
            case 5 ->
                new Request(
                        "get with a body",
                        "GET " + unknownTopic() + " HTTP/1.1\r\nHost: x\r\nAuthorization: " + authorization
                                + "\r\n"
                                + (random.nextBoolean()
                                        ? "Content-Length: " + hidden().length() + "\r\n\r\n" + hidden()
                                        : "Transfer-Encoding: chunked\r\n\r\n" + chunked(hidden())),
                        Verdict.SERVED,
                        Proof.NAME,
                        404,
                        id(),
                        null);
            default ->
                new Request(
                        "empty body that expects",
                        head("HTTP/1.1") + "Expect: 100-continue\r\nContent-Length: 0\r\n\r\n",
                        Verdict.DENIED,
                        Proof.STATUS,
                        400,
                        id(),
                        null);
        };
    }

    private Request denied() {
        String body = hidden();
        String framing =
                random.nextBoolean() ? "Content-Length: " + body.length() + "\r\n" : "Transfer-Encoding: chunked\r\n";
        String sent = framing.startsWith("C") ? body : chunked(body);
        String expect = any("", "", "Expect: 100-continue\r\n");
        String octets = "Content-Type: application/octet-stream\r\n";
        String mine = "Authorization: " + authorization + "\r\n";
        record Denial(String head, int status) {}
        String served = path(SERVED_TOPIC);
        Denial denial = switch (random.nextInt(6)) {
            case 0 -> new Denial("POST " + served + " HTTP/1.1\r\nHost: x\r\n" + octets, 401);
            case 1 ->
                new Denial("POST " + served + " HTTP/1.1\r\nHost: x\r\nAuthorization: Basic eDp5\r\n" + octets, 401);
            case 2 -> new Denial("POST " + path("n" + id() + "n") + " HTTP/1.1\r\nHost: x\r\n" + mine + octets, 404);
            case 3 -> new Denial("PATCH " + served + " HTTP/1.1\r\nHost: x\r\n" + mine + octets, 405);
            case 4 ->
                new Denial("POST " + served + " HTTP/1.1\r\nHost: x\r\n" + mine + "Content-Type: image/png\r\n", 415);
            default ->
                new Denial(
                        "POST /v1/api/message HTTP/1.1\r\nHost: x\r\n" + mine
                                + "Content-Type: application/x-thrift-compact\r\n",
                        400);
        };
        return new Request(
                "denied with " + denial.status + (expect.isEmpty() ? "" : ", expects"),
                denial.head + expect + framing + "\r\n" + sent,
                Verdict.DENIED,
                Proof.STATUS,
                denial.status,
                id(),
                null);
    }

    // A good request to the topic for such, with up to six changes of bytes.
    private Request mutated() {
        String value = "m" + id();
        StringBuilder wire = new StringBuilder("POST " + path(MUTATED_TOPIC) + " HTTP/1.1\r\nHost: x\r\n" + fields()
                + (random.nextBoolean()
                        ? "Content-Length: " + value.length() + "\r\n\r\n" + value
                        : "Transfer-Encoding: chunked\r\n\r\n" + chunked(value)));
        for (int changes = 1 + random.nextInt(6); changes > 0; changes--) {
            int at = random.nextInt(wire.length());
            switch (random.nextInt(5)) {
                case 0 -> wire.setCharAt(at, (char) (wire.charAt(at) ^ 1 << random.nextInt(8)));
                case 1 ->
                    wire.insert(
                            at,
                            any("\r", LF, "\r\n", " ", "\t", ":", ",", ";", "\u0000", "\u00ff", "0", "-", "%", "/"));
                case 2 -> wire.delete(at, Math.min(wire.length() - 1, at + 1 + random.nextInt(8)));
                case 3 -> wire.insert(at, wire.substring(at, Math.min(wire.length(), at + 1 + random.nextInt(32))));
                default -> wire.setCharAt(at, (char) random.nextInt(256));
            }
        }
        return new Request("mutated", wire.toString(), Verdict.UNKNOWN, Proof.STATUS, 0, id(), null);
    }
}
