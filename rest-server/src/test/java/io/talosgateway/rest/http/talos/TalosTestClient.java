package io.talosgateway.rest.http.talos;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.bootstrap.TestGateway;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.auth.SignableRequest;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.transport.TMemoryBuffer;

/** Calls the Talos interface of a gateway as an SDK does, but lets a test do it wrong. Immutable. */
public record TalosTestClient(
        TestGateway gateway,
        AccessKey key,
        ThriftFormat format,
        String userAgent,
        long clockAheadMs,
        Map<String, String> headers) {

    static final String JAVA = "Java-SDK/1.0.0 Java/17";
    static final String GO = "Go-SDK/v1.0.0 Go/linux-amd64-go1.20";

    public TalosTestClient(TestGateway gateway) {
        this(gateway, gateway.key(), ThriftFormat.COMPACT, "test", 0, Map.of());
    }

    TalosTestClient withKey(AccessKey newKey) {
        return new TalosTestClient(gateway, newKey, format, userAgent, clockAheadMs, headers);
    }

    TalosTestClient with(ThriftFormat newFormat) {
        return new TalosTestClient(gateway, key, newFormat, userAgent, clockAheadMs, headers);
    }

    TalosTestClient withUserAgent(String newUserAgent) {
        return new TalosTestClient(gateway, key, format, newUserAgent, clockAheadMs, headers);
    }

    TalosTestClient withClockAheadMs(long newClockAheadMs) {
        return new TalosTestClient(gateway, key, format, userAgent, newClockAheadMs, headers);
    }

    TalosTestClient withHeader(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new TalosTestClient(gateway, key, format, userAgent, clockAheadMs, more);
    }

    long nowMs() {
        return System.currentTimeMillis() + clockAheadMs;
    }

    /** Calls a method and gives its result, null for a void method; throws what an SDK would. */
    public <A, R> R call(ThriftService service, ThriftMethod<A, R> method, A argument) throws Exception {
        HttpResponse<byte[]> response = post(service, method.name(), encode(method, argument));
        return decode(method, response);
    }

    <A, R> byte[] encode(ThriftMethod<A, R> method, A argument) throws Exception {
        TMemoryBuffer buffer = new TMemoryBuffer(256);
        method.writeCall(format.writing(buffer), 1, argument);
        return Arrays.copyOf(buffer.getArray(), buffer.length());
    }

    <R> R decode(ThriftMethod<?, R> method, HttpResponse<byte[]> response) throws Exception {
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (!type.equals(format.contentType())) {
            throw new AssertionError(
                    response.statusCode() + " " + type + " " + new String(response.body(), StandardCharsets.UTF_8));
        }
        return method.readReply(format.reading(new ByteSlice(response.body())));
    }

    HttpResponse<byte[]> post(ThriftService service, String type, byte[] body) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create(gateway.endpoint() + service.path() + "?id=0a1b2c3d&type=" + type))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Content-Type", format.contentType());
        all.put("User-Agent", userAgent);
        if (key != null) {
            Instant now = Instant.ofEpochMilli(nowMs());
            all.put(GalaxySignature.TIMESTAMP_HEADER, Long.toString(now.getEpochSecond()));
            all.put(
                    GalaxySignature.DATE_HEADER,
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atZone(ZoneOffset.UTC)));
            all.put(GalaxySignature.DIGEST_HEADER, GalaxySignature.md5(new ByteSlice(body)));
        }
        all.putAll(headers);
        if (key != null) {
            SignableRequest signable = new SignableRequest("POST", service.path(), null, new ByteSlice(body));
            all.forEach(signable::with);
            String signature = GalaxySignature.sign(key.secret(), signable);
            all.putIfAbsent("Authorization", "Galaxy-V3 " + key.id() + ":" + signature);
        }
        all.forEach(request::header);
        return gateway.client().send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }
}
