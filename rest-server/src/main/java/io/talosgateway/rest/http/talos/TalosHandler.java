package io.talosgateway.rest.http.talos;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AdmittedHandler;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.JettySignedRequest;
import io.talosgateway.rest.message.ByteSlice;
import io.talosgateway.thrift.call.BaseMethods;
import io.talosgateway.thrift.call.ThriftService;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/**
 * Thrift over HTTP, as the Talos SDKs speak it: authenticates, decodes the envelope, dispatches by path and the method
 * name inside the message, and writes the reply in the protocol of the request.
 */
public final class TalosHandler extends AdmittedHandler {

    /** The SDKs number every call so, and check it. */
    private static final int SDK_SEQUENCE_ID = 1;

    private final Authenticator authenticator;
    private final TalosMethods methods = new TalosMethods();

    public TalosHandler(
            HttpParts parts, Authenticator authenticator, BaseCalls base, TopicCalls topics, MessageCalls messages) {
        super("talos", parts);
        this.authenticator = authenticator;
        base.register(methods);
        topics.register(methods);
        messages.register(methods);
    }

    private static @Nullable ThriftService service(Request request) {
        return ThriftService.atPath(request.getHttpURI().getDecodedPath());
    }

    @Override
    protected boolean accepts(Request request) {
        return service(request) != null;
    }

    @Override
    protected void handle(Exchange exchange, ByteSlice body) {
        Request request = exchange.request();
        if (!HttpMethod.POST.is(request.getMethod())) {
            throw new GatewayException(ErrorCode.METHOD_NOT_ALLOWED, "The Talos interface takes POST requests only.");
        }
        ThriftService service = service(request);
        ThriftFormat format = ThriftFormat.ofContentType(exchange.header("Content-Type"));
        if (format == null || service == null) {
            throw new GatewayException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                    "The Content-Type must be application/x-thrift-compact, -binary or -json.");
        }
        Principal principal = authenticator.authenticate(new JettySignedRequest(request, body));
        try {
            TProtocol in = format.reading(body);
            TMessage message = in.readMessageBegin();
            if (message.type != TMessageType.CALL) {
                throw malformed("the message is not a call");
            }
            ClientKind client = ClientKind.of(exchange.header("User-Agent"));
            dispatch(
                    service, new TalosCall(exchange, principal, client, format, in, message.name, message.seqid, body));
        } catch (GatewayException e) {
            throw e;
        } catch (TException | RuntimeException e) {
            // libthrift throws both at bytes that are not Thrift.
            throw malformed(String.valueOf(e.getMessage()));
        }
    }

    private static GatewayException malformed(String reason) {
        return new GatewayException(
                ErrorCode.MALFORMED_REQUEST,
                "The body is not a Thrift call that this gateway understands: " + reason + ".");
    }

    private void dispatch(ThriftService service, TalosCall call) throws TException {
        TalosMethods.RawMethod method = methods.find(service, call.method());
        if (method == null) {
            call.exchange().answer(TalosReplies.unknownMethod(call, service.method(call.method()) != null));
            return;
        }
        CompletableFuture<TalosMethods.Reply> reply;
        try {
            requireKnownCaller(call);
            reply = method.invoke(call);
        } catch (GatewayException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        answer(
                call.exchange(),
                reply.handle((result, failure) -> failure == null
                        ? TalosReplies.result(call, result)
                        : TalosReplies.exception(
                                call.format(), call.method(), call.sequenceId(), reason(call.exchange(), failure))),
                call.exchange()::answer);
    }

    private static void requireKnownCaller(TalosCall call) {
        boolean forEverybody = call.method().equals(BaseMethods.GET_SERVICE_VERSION.name())
                || call.method().equals(BaseMethods.VALID_CLIENT_VERSION.name());
        if (call.principal().guest() && !call.principal().admin() && !forEverybody) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "A request without a key may only ask for the version; sign it with a key of this gateway.");
        }
    }

    @Override
    protected void refuse(Exchange exchange, GatewayException reason) {
        ThriftFormat format = ThriftFormat.ofContentType(exchange.header("Content-Type"));
        if (format == null || TalosErrors.isTransportError(reason.code())) {
            exchange.answer(TalosReplies.plain(reason, parts.wallClock().millis() / 1000));
            return;
        }
        // Refused before the call was read, such as for too much to do. The SDKs send a request again at once when they
        // get
        // a plain HTTP error, but not when they get an exception; and they do not compare the method's name in the
        // reply.
        String method = method(exchange.request());
        exchange.answer(TalosReplies.exception(format, method, SDK_SEQUENCE_ID, reason));
    }

    /** The method's name in the query, which the SDKs put there for logs. */
    private static String method(Request request) {
        Fields.Field type = Request.extractQueryParameters(request).get("type");
        String value = type == null ? null : type.getValue();
        return value == null ? "unknown" : value;
    }
}
