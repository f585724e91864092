package io.talosgateway.client;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.UUID;

import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;

/**
 * An encoded call of the Thrift interface; signed each time it is sent. The time for it goes in a header, not in the body,
 * so that the body stays as it is.
 *
 * @param digest MD5 of the body
 * @param idempotencyKey null if it is no put
 */
record ThriftCall<R>(
        ThriftEncoder encoder,
        ThriftService service,
        ThriftMethod<?, R> method,
        ByteSlice body,
        String digest,
        @Nullable String idempotencyKey,
        Retry withoutAnswer)
        implements HttpCall<R> {

    private static final String THRIFT_TYPES = "application/x-thrift";

    ThriftCall<R> withIdempotencyKey(String key) {
        return new ThriftCall<>(encoder, service, method, body, digest, key, withoutAnswer);
    }

    @Override
    public HttpRequest.Builder request(URI endpoint) {
        String type = encoder.format().contentType();
        // The method's name in the query is for logs, as with the SDKs.
        String query = "type=" + method.name();
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.resolve(service.path() + "?" + query))
                .POST(BodyPublishers.ofByteArray(body.array(), body.offset(), body.length()))
                .header("Content-Type", type)
                .header("Accept", type);
        if (idempotencyKey != null) {
            // In quotes, as the header's specification asks for a string of RFC 8941.
            request.header("Idempotency-Key", '"' + idempotencyKey + '"');
        }
        RequestSigner signer = encoder.signer();
        if (signer != null) {
            String nonce = UUID.randomUUID().toString();
            signer.headers(service.path(), query, type, digest, nonce).forEach(request::header);
        }
        return request;
    }

    @Override
    public @Nullable R read(HttpResponse<byte[]> response) {
        int status = response.statusCode();
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (!type.startsWith(THRIFT_TYPES)) {
            throw new GatewayClientException(ThriftProblems.of(status, type, response.body(), withoutAnswer));
        }
        try {
            return method.readReply(encoder.format().reading(new ByteSlice(response.body())));
        } catch (GalaxyTalosException e) {
            throw new GatewayClientException(ThriftProblems.of(status, e, withoutAnswer));
        } catch (TApplicationException e) {
            if (e.getType() == TApplicationException.UNKNOWN_METHOD) {
                throw new GatewayClientException(
                        new Problem(status, "not-implemented", null, e.getMessage(), Retry.NEVER, null, null));
            }
            throw unreadable(e);
        } catch (TException e) {
            throw unreadable(e);
        }
    }

    private GatewayClientException unreadable(TException cause) {
        return new GatewayClientException(
                "The answer to " + method + " is damaged: " + cause.getMessage(), withoutAnswer, cause);
    }
}
