package io.talosgateway.client;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import javax.net.ssl.SSLSession;

import com.fasterxml.jackson.core.type.TypeReference;
import io.talosgateway.fuzz.FuzzTarget;
import io.talosgateway.fuzz.RandomStructs;
import io.talosgateway.thrift.GetMessageResponse;
import io.talosgateway.thrift.call.MessageMethods;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.transport.TMemoryBuffer;
import org.jspecify.annotations.Nullable;

/** Answers that a client gets: it takes them, or throws a {@link GatewayClientException}. */
public final class ClientTargets {

    private ClientTargets() {}

    /** An answer with some body. */
    @SuppressWarnings("ArrayRecordComponent") // not compared
    private record Answer(int statusCode, String type, byte[] body) implements HttpResponse<byte[]> {
        @Override
        public HttpHeaders headers() {
            return HttpHeaders.of(Map.of("Content-Type", List.of(type)), (name, value) -> true);
        }

        @Override
        public HttpRequest request() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<HttpResponse<byte[]>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return URI.create("http://gateway");
        }

        @Override
        public HttpClient.Version version() {
            return HttpClient.Version.HTTP_1_1;
        }
    }

    public static List<FuzzTarget<?>> all() {
        List<FuzzTarget<?>> targets = new ArrayList<>();
        targets.add(FuzzTarget.of("client-get-json", gets(), ClientTargets::got).allocating(512, 512 * 1024));
        targets.add(FuzzTarget.of("client-documents", documents(), ClientTargets::document)
                .allocating(512, 512 * 1024));
        for (ThriftFormat format : ThriftFormat.values()) {
            targets.add(FuzzTarget.of(
                            "client-" + format.name().toLowerCase(Locale.ROOT),
                            replies(format),
                            input -> reply(format, input))
                    .allocating(512, 512 * 1024));
        }
        return targets;
    }

    // --- JSON ---

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static @Nullable List<Message> got(byte[] input) {
        try {
            return Json.fetched(input, 5).messages();
        } catch (GatewayClientException e) {
            return null;
        }
    }

    private static List<byte[]> gets() {
        return List.of(
                utf8(
                        "{\"topic\":\"t\",\"partition\":0,\"messages\":[{\"offset\":5,\"key\":\"k\",\"value\":\"v\\u00e9\",\"createdAtMs\":1,\"appendedAtMs\":2},{\"offset\":6,\"valueBase64\":\"AAEC\"}],\"nextOffset\":7,\"logStartOffset\":0,\"logEndOffset\":7}"),
                utf8("{\"messages\":[],\"nextOffset\":5,\"unknown\":{\"a\":[1,2.5,null]}}"));
    }

    private record Listed(
            @Nullable List<Topic> topics,
            @Nullable List<Partition> partitions,
            @Nullable List<PutPart> results) {}

    private static @Nullable Object document(byte[] input) {
        Problem problem = Json.problem(503, input, Retry.AFTER_BACKOFF);
        try {
            Json.read(input, new TypeReference<Stored>() {});
        } catch (GatewayClientException e) {
            // It is another document.
        }
        try {
            return List.of(problem, Json.read(input, new TypeReference<Listed>() {}));
        } catch (GatewayClientException e) {
            return null;
        }
    }

    private static List<byte[]> documents() {
        return List.of(
                utf8(
                        "{\"topics\":[{\"name\":\"t\",\"resourceName\":\"o#t#1\",\"owner\":\"o\",\"partitions\":3,\"retentionMs\":1,\"attributes\":{\"a\":\"b\"},\"createdAtMs\":1}]}"),
                utf8(
                        "{\"partitions\":[{\"partition\":0,\"owner\":null,\"logStartOffset\":1,\"logEndOffset\":2,\"messageCount\":1,\"storedBytes\":3}]}"),
                utf8(
                        "{\"results\":[{\"partition\":0,\"messages\":[0,1],\"status\":200,\"stored\":{\"topic\":\"t\",\"partition\":0,\"firstOffset\":1,\"count\":2,\"durability\":\"disk\",\"repeat\":false,\"appendedAtMs\":9}}]}"),
                utf8(
                        "{\"topic\":\"t\",\"partition\":0,\"firstOffset\":1,\"count\":2,\"durability\":\"disk\",\"repeat\":false,\"appendedAtMs\":9}"),
                utf8("{\"status\":503,\"code\":\"overloaded\",\"title\":\"t\",\"detail\":\"d\",\"retry\":\"never\"}"));
    }

    // --- Thrift ---

    /** The method is the one that the reply names; {@link HttpCaller} makes the problem of a RuntimeException. */
    private static @Nullable Object reply(ThriftFormat format, byte[] input) {
        ThriftEncoder encoder = new ThriftEncoder(format, null);
        ThriftMethod<?, ?> method;
        try {
            String name = format.reading(new ByteSlice(input)).readMessageBegin().name;
            method = ThriftService.MESSAGE.method(name);
            if (method == null) {
                method = ThriftService.TOPIC.method(name);
            }
        } catch (TException | RuntimeException e) {
            method = MessageMethods.GET_MESSAGE;
        }
        if (method == null) {
            method = MessageMethods.GET_MESSAGE;
        }
        ThriftCall<?> call =
                new ThriftCall<>(encoder, ThriftService.MESSAGE, method, ByteSlice.EMPTY, "", null, Retry.SAME_KEY);
        try {
            Object result = call.read(new Answer(200, format.contentType(), input));
            if (result instanceof GetMessageResponse got
                    && !got.getMessageBlocks().isEmpty()) {
                return ThriftBlocks.decode(
                        got.getMessageBlocks(), got.getMessageBlocks().get(0).getStartMessageOffset());
            }
            return result;
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static List<byte[]> replies(ThriftFormat format) {
        List<byte[]> seeds = new ArrayList<>();
        RandomStructs structs = new RandomStructs(11);
        for (ThriftService service : List.of(ThriftService.MESSAGE, ThriftService.TOPIC)) {
            for (ThriftMethod<?, ?> method : service.methods()) {
                Object result = method.newResult();
                if (result != null) {
                    TBase<?, ?> struct = structs.filled((TBase<?, ?>) result);
                    if (!(struct instanceof GetMessageResponse)) {
                        seeds.add(written(
                                format, out -> ThriftEnvelope.writeResult(out, method.name(), 1, struct::write)));
                    }
                }
            }
        }
        List<io.talosgateway.thrift.MessageBlock> blocks = List.of(ThriftBlocks.encode(
                List.of(new NewMessage("k", utf8("one")), new NewMessage(null, utf8("two"))),
                BlockCompression.SNAPPY,
                1_600_000_000_000L));
        GetMessageResponse got = new GetMessageResponse(blocks, 2, "s");
        seeds.add(written(format, out -> MessageMethods.GET_MESSAGE.writeResult(out, 1, got)));
        return seeds;
    }

    private static byte[] written(ThriftFormat format, ThriftEnvelope.StructWriter writer) {
        try {
            TMemoryBuffer buffer = new TMemoryBuffer(256);
            writer.write(format.writing(buffer));
            return Arrays.copyOf(buffer.getArray(), buffer.length());
        } catch (TException e) {
            throw new AssertionError("writing to memory does not fail", e);
        }
    }
}
