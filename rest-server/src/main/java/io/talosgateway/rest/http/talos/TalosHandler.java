package io.talosgateway.rest.http.talos;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.AdmittedHandler;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.Queries;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Thrift over HTTP, as the Talos SDKs speak it: authenticates, decodes the envelope, dispatches by path and the method
 * name inside the message, and writes the reply in the protocol of the request.
 */
public final class TalosHandler extends AdmittedHandler {

    /** The SDKs number every call so, and check it. */
    private static final int SDK_SEQUENCE_ID = 1;

    private static final String UNKNOWN_METHOD = "unknown";

    private static final int MAX_METHOD_NAME = 128;
    /** Most elements of all lists, sets and maps of a call, unless a put may have more blocks. */
    static final int MAX_ELEMENTS = 10_000;

    private final Authenticator authenticator;
    private final int maxElements;
    private final TalosMethods methods = new TalosMethods();

    public TalosHandler(
            HttpParts parts,
            Authenticator authenticator,
            BaseCalls base,
            TopicCalls topics,
            PermissionCalls permissions,
            TopicQuotaCalls topicQuotas,
            TopicOwnerCalls owners,
            TopicGroupCalls topicGroups,
            QuotaCalls quotas,
            MessageCalls messages,
            TransactionCalls transactions,
            ConsumerCalls consumers,
            TopicsConsumerCalls topicsConsumers,
            GroupLagCalls lags,
            DataPreviewCalls previews) {
        super("talos", parts);
        this.authenticator = authenticator;
        this.maxElements = Math.max(MAX_ELEMENTS, parts.limits().maxBlocksPerPut());
        base.register(methods);
        topics.register(methods);
        permissions.register(methods);
        topicQuotas.register(methods);
        owners.register(methods);
        topicGroups.register(methods);
        quotas.register(methods);
        messages.register(methods);
        transactions.register(methods);
        consumers.register(methods);
        topicsConsumers.register(methods);
        lags.register(methods);
        previews.register(methods);
    }

    private static @Nullable ThriftService service(Request request) {
        return ThriftService.atPath(request.getHttpURI().getDecodedPath());
    }

    @Override
    protected boolean accepts(Request request) {
        return service(request) != null;
    }

    @Override
    protected Work prepare(Exchange exchange) {
        Request request = exchange.request();
        if (HttpMethod.OPTIONS.is(request.getMethod())) {
            return body -> exchange.answer(Answer.noContent(List.of(TalosReplies.ALLOW)));
        }
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
        Queries.of(request);
        Principal principal = exchange.identify(authenticator);
        return body -> read(exchange, service, format, principal, body);
    }

    private void read(
            Exchange exchange, ThriftService service, ThriftFormat format, Principal principal, ByteSlice body) {
        TProtocol in = TalosCall.decode(() -> new BoundedProtocol(format.reading(body), maxElements));
        TMessage message = TalosCall.decode(in::readMessageBegin);
        if (message.name.length() > MAX_METHOD_NAME) {
            throw TalosCall.malformed("the name of its method has " + message.name.length() + " characters");
        }
        if (message.type != TMessageType.CALL) {
            throw TalosCall.malformed("the message is not a call");
        }
        exchange.setOperation(message.name);
        TalosMethods.Registered method = methods.find(service, message.name);
        if (method == null) {
            exchange.answer(TalosReplies.unknownMethod(format, service, message.name, message.seqid));
            return;
        }
        ClientKind client = ClientKind.of(exchange.header("User-Agent"));
        dispatch(
                method.implementation(),
                new TalosCall(
                        exchange,
                        principal,
                        method.operation(),
                        client,
                        format,
                        in,
                        message.name,
                        message.seqid,
                        body));
    }

    private void dispatch(TalosMethods.RawMethod method, TalosCall call) {
        CompletableFuture<TalosMethods.Reply> reply;
        try {
            requireKnownCaller(call);
            Authorizer.requireAdmin(call.principal(), call.operation());
            if (call.operation().changes()) {
                call.exchange().acceptOnce(authenticator, false);
            }
            reply = method.invoke(call);
        } catch (GatewayException e) {
            reply = CompletableFuture.failedFuture(e);
        }
        answer(
                call.exchange(),
                reply.handle((result, failure) ->
                        failure == null ? TalosReplies.result(call, result) : refusal(call, failure)),
                call.exchange()::answer);
    }

    private Answer refusal(TalosCall call, Throwable failure) {
        GatewayException reason = reason(call.exchange(), failure);
        call.exchange().refused(reason);
        return TalosErrors.isToldAsApplicationException(call, reason)
                ? TalosReplies.applicationException(call, reason)
                : failure(call.format(), call.method(), call.sequenceId(), reason);
    }

    private Answer failure(ThriftFormat format, String method, int sequenceId, GatewayException reason) {
        return TalosErrors.isTransportError(reason.code())
                ? TalosReplies.plain(reason, nowSeconds())
                : TalosReplies.exception(format, method, sequenceId, reason);
    }

    private long nowSeconds() {
        return parts.wallClock().millis() / 1000;
    }

    private static void requireKnownCaller(TalosCall call) {
        if (Authorizer.lacksKey(call.principal(), call.operation())) {
            throw new GatewayException(
                    ErrorCode.PERMISSION_DENIED,
                    "A request without a key may only ask for the version; sign it with a key of this gateway.");
        }
    }

    @Override
    protected void refuse(Exchange exchange, GatewayException reason) {
        // Refused before the call was read, such as for too much to do. A plain HTTP error makes the SDKs send a
        // request
        // again at once, an exception does not; and they do not compare the method's name in the reply.
        ThriftFormat format = ThriftFormat.ofContentType(exchange.header("Content-Type"));
        exchange.answer(
                format == null
                        ? TalosReplies.plain(reason, nowSeconds())
                        : failure(format, method(exchange.request()), SDK_SEQUENCE_ID, reason));
    }

    /** The method's name in the query, which the SDKs put there for logs; for what is refused, so whatever the query is. */
    private static String method(Request request) {
        try {
            String type = Queries.of(request).getValue("type");
            return type == null ? UNKNOWN_METHOD : type;
        } catch (GatewayException e) {
            return UNKNOWN_METHOD;
        }
    }
}
