package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * {@code /health/live}: the process answers. {@code /health/ready}: 200 if requests should be sent here, else 503.
 * {@code /metrics}: everything that is counted, for Prometheus. Where a key is needed, whoever has none learns no more than the
 * status of health. With the console also {@code /console/} and, for it, {@code /v1/}: the JSON interface as it is at the HTTP port,
 * which asks everybody for a key.
 */
public final class OpsHandler extends Handler.Abstract {

    private static final String API = "/v1/";
    private static final String TEXT = "text/plain; charset=utf-8";

    private final CollectorRegistry registry;
    private final Readiness readiness;
    private final OpsAccess access;
    private final @Nullable Console console;
    private final Supplier<Request.Handler> api;

    /** @param api the JSON interface, as it is at the moment */
    public OpsHandler(
            CollectorRegistry registry,
            Readiness readiness,
            OpsAccess access,
            boolean withConsole,
            Supplier<Request.Handler> api) {
        this.registry = registry;
        this.readiness = readiness;
        this.access = access;
        this.console = withConsole ? new Console() : null;
        this.api = api;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!access.isCalledByItsName(request)) {
            answer(
                    response,
                    callback,
                    421,
                    TEXT,
                    "This host does not know the name in the Host header; ops.allowed-hosts lists the names that it answers to.\n");
            return true;
        }
        String path = request.getHttpURI().getDecodedPath();
        if (console != null && path.startsWith(API)) {
            return api.get().handle(request, response, callback);
        }
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            answer(response, callback, 405, TEXT, "Only GET is possible here.\n");
            return true;
        }
        if (console != null && Console.isAt(path) && console.answer(path, request, response, callback)) {
            return true;
        }
        switch (path) {
            case "/health/live" -> answer(response, callback, 200, TEXT, "alive\n");
            case "/health/ready" -> {
                Readiness.Status status = readiness.status();
                boolean told = access.of(request) == OpsAccess.Access.ALL;
                String text = told ? status.status() : status.ready() ? "ready" : "not ready";
                answer(response, callback, status.ready() ? 200 : 503, TEXT, text + "\n");
            }
            case "/metrics" -> metrics(request, response, callback);
            default ->
                answer(
                        response,
                        callback,
                        404,
                        TEXT,
                        "There are %s/health/live, /health/ready and /metrics here.\n"
                                .formatted(console == null ? "" : "/console/, "));
        }
        return true;
    }

    private void metrics(Request request, Response response, Callback callback) throws IOException {
        switch (access.of(request)) {
            case ALL -> writeMetrics(request, response, callback);
            case UNKNOWN -> {
                response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Basic realm=\"talos-gateway\"");
                answer(response, callback, 401, TEXT, "The key of an administrator is needed (ops.require-key).\n");
            }
            case NOT_ADMIN ->
                answer(response, callback, 403, TEXT, "This key is not an administrator's (ops.require-key).\n");
            case NOT_YET ->
                answer(response, callback, 503, TEXT, "The gateway is starting: its keys are not read yet.\n");
        }
    }

    private void writeMetrics(Request request, Response response, Callback callback) throws IOException {
        String contentType = TextFormat.chooseContentType(request.getHeaders().get(HttpHeader.ACCEPT));
        StringWriter text = new StringWriter();
        TextFormat.writeFormat(contentType, text, registry.metricFamilySamples());
        answer(response, callback, 200, contentType, text.toString());
    }

    private static void answer(Response response, Callback callback, int status, String contentType, String body) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, contentType);
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.write(true, ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)), callback);
    }
}
