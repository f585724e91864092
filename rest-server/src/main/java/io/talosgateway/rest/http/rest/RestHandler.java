package io.talosgateway.rest.http.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.auth.Authorizer;
import io.talosgateway.rest.auth.Need;
import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.auth.Principal;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.http.AdmittedHandler;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.rest.http.AuthorizedTopics;
import io.talosgateway.rest.http.Exchange;
import io.talosgateway.rest.http.HttpParts;
import io.talosgateway.rest.http.Queries;
import io.talosgateway.rest.http.RequestClass;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** The JSON interface: finds the operation, authenticates, and answers with JSON or a problem. Takes every path. */
public final class RestHandler extends AdmittedHandler {

    private static final String OPENAPI = "/openapi.yaml";

    private final Authenticator authenticator;
    private final AuthorizedTopics authorized;
    private final List<RestRoute> routes = new ArrayList<>();

    public RestHandler(
            HttpParts parts,
            Authenticator authenticator,
            AuthorizedTopics authorized,
            TopicOperations topics,
            PermissionOperations permissions,
            QuotaOperations quotas,
            OwnerQuotaOperations ownerQuotas,
            MessageOperations messages,
            FencingTokenOperations fencingTokens,
            GroupOperations groups,
            MemberOperations members,
            ClusterOperations cluster,
            KeyOperations keys) {
        super("rest", parts);
        this.authenticator = authenticator;
        this.authorized = authorized;
        routes.addAll(openRoutes());
        routes.addAll(topics.routes());
        routes.addAll(permissions.routes());
        routes.addAll(quotas.routes());
        routes.addAll(ownerQuotas.routes());
        routes.addAll(messages.routes());
        routes.addAll(fencingTokens.routes());
        routes.addAll(groups.routes());
        routes.addAll(members.routes());
        routes.addAll(cluster.routes());
        routes.addAll(keys.routes());
    }

    /** What needs no credentials. */
    static List<RestRoute> openRoutes() {
        ByteSlice document = resource(OPENAPI);
        return List.of(
                new RestRoute(
                        Operation.REST_GET_OPEN_API,
                        "GET",
                        OPENAPI,
                        RequestClass.OTHER,
                        call -> completed(Answer.of(200, "application/yaml", document))),
                new RestRoute(
                        Operation.REST_GET_INDEX,
                        "GET",
                        "/",
                        RequestClass.OTHER,
                        call -> completed(Answer.of(200, Json.CONTENT_TYPE, Json.write(new Index())))));
    }

    /** What is at the root, for people who look around. */
    record Index(String name, String openapi, String topics) {
        Index() {
            this("Talos Gateway", OPENAPI, "/v1/topics");
        }
    }

    private static ByteSlice resource(String name) {
        try (InputStream in = RestHandler.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path");
            }
            return new ByteSlice(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CompletableFuture<Answer> completed(Answer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    @Override
    protected boolean accepts(Request request) {
        return true;
    }

    @Override
    protected Work prepare(Exchange exchange) {
        Request request = exchange.request();
        String method = request.getMethod();
        // Jetty leaves out the body of an answer to HEAD.
        String served = HttpMethod.HEAD.is(method) ? HttpMethod.GET.asString() : method;
        String path = request.getHttpURI().getDecodedPath();
        for (RestRoute route : routes) {
            RestRoute.Match match = route.method().equals(served) ? route.match(path) : null;
            if (match != null) {
                return prepare(exchange, route, match);
            }
        }
        Set<String> allowed = allowed(request);
        if (allowed.isEmpty()) {
            throw new GatewayException(
                    ErrorCode.NOT_FOUND,
                    "There is nothing at " + request.getHttpURI().getDecodedPath() + "; " + OPENAPI
                            + " says what there is.");
        }
        if (HttpMethod.OPTIONS.is(method)) {
            return body -> exchange.answer(Answer.noContent(List.of(allow(allowed))));
        }
        throw new GatewayException(
                ErrorCode.METHOD_NOT_ALLOWED,
                method + " is not possible here; use " + String.join(" or ", allowed) + ".");
    }

    /** The methods that the path of the request has; empty if there is nothing. */
    private Set<String> allowed(Request request) {
        String path = request.getHttpURI().getDecodedPath();
        Set<String> methods = new TreeSet<>();
        for (RestRoute route : routes) {
            if (route.match(path) != null) {
                methods.add(route.method());
            }
        }
        if (methods.contains(HttpMethod.GET.asString())) {
            methods.add(HttpMethod.HEAD.asString());
        }
        if (!methods.isEmpty()) {
            methods.add(HttpMethod.OPTIONS.asString());
        }
        return methods;
    }

    private static HttpField allow(Set<String> methods) {
        return new HttpField(HttpHeader.ALLOW, String.join(", ", methods));
    }

    private Work prepare(Exchange exchange, RestRoute route, RestRoute.Match path) {
        exchange.setRequestClass(route.requestClass());
        exchange.setOperation(route.operationId());
        Fields query = Queries.of(exchange.request());
        Operation operation = route.operation();
        Principal principal = operation.need() == Need.NOTHING ? Principal.GUEST : principal(exchange, operation);
        Authorizer.requireAdmin(principal, operation);
        TopicName topic = operation.need().permission() == null ? null : RestCall.topicName(path);
        if (topic != null) {
            // Before the body, which is not stored for who may not do this. The operation asks again: time has passed
            // then.
            authorized.find(principal, operation, topic);
        }
        if (route.requestClass() == RequestClass.ADMIN && !HttpMethod.DELETE.is(route.method())) {
            requireJson(exchange);
        }
        if (operation.changes()) {
            requireSignedQuery(exchange);
        }
        return body -> {
            if (operation.changes()) {
                exchange.acceptOnce(authenticator, true);
            }
            answer(
                    exchange,
                    route.action().invoke(new RestCall(exchange, operation, principal, path, topic, query, body)),
                    exchange::answer);
        };
    }

    /** Other types, and none, a browser sends for a page of another host without asking; see docs/decisions/0035-edge.md. */
    private static void requireJson(Exchange exchange) {
        String type = PutBody.mediaType(exchange.header("Content-Type"));
        if (!type.equals(Json.CONTENT_TYPE)) {
            throw new GatewayException(
                    ErrorCode.UNSUPPORTED_MEDIA_TYPE, "The Content-Type must be application/json, not '" + type + "'.");
        }
    }

    /** The signature of the Talos SDKs does not cover the query, and whoever sees a request could send it with another one. */
    private static void requireSignedQuery(Exchange exchange) {
        Authenticator.Signature signature = exchange.caller().signature();
        if (signature != null
                && !signature.coversQuery()
                && exchange.request().getHttpURI().getQuery() != null) {
            throw new GatewayException(
                    ErrorCode.UNAUTHENTICATED,
                    "The query of a signed change must be signed, too: send its SHA-256 in the header "
                            + GalaxySignature.QUERY_DIGEST_HEADER + ".");
        }
    }

    private Principal principal(Exchange exchange, Operation operation) {
        Principal principal = exchange.identify(authenticator);
        if (Authorizer.lacksKey(principal, operation)) {
            throw new GatewayException(
                    ErrorCode.UNAUTHENTICATED,
                    "This needs a key: send it with HTTP Basic (curl -u KEY_ID:SECRET), or sign the request.");
        }
        return principal;
    }

    @Override
    protected void refuse(Exchange exchange, GatewayException reason) {
        List<HttpField> headers = new ArrayList<>();
        if (reason.retry() == RetryAdvice.AFTER_BACKOFF) {
            headers.add(new HttpField(HttpHeader.RETRY_AFTER, Long.toString(reason.retryAfterSeconds())));
        }
        if (reason.code() == ErrorCode.METHOD_NOT_ALLOWED) {
            headers.add(allow(allowed(exchange.request())));
        }
        if (reason.code() == ErrorCode.UNAUTHENTICATED) {
            headers.add(new HttpField(
                    HttpHeader.WWW_AUTHENTICATE,
                    authenticator.challenge(exchange.header(HttpHeader.AUTHORIZATION.asString()))));
        }
        if (reason.code() == ErrorCode.CLOCK_SKEWED) {
            headers.add(new HttpField(
                    GalaxySignature.TIMESTAMP_HEADER,
                    Long.toString(parts.wallClock().millis() / 1000)));
        }
        exchange.answer(Answer.of(
                        reason.code().httpStatus(),
                        ProblemJson.CONTENT_TYPE,
                        Json.write(ProblemJson.of(reason, exchange.requestId())))
                .withHeaders(headers)
                .withOutcome(reason.code().text()));
    }
}
