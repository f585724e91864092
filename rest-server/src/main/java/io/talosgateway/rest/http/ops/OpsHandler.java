package io.talosgateway.rest.http.ops;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.exporter.common.TextFormat;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * {@code /health/live}: the process answers. {@code /health/ready}: 200 if requests should be sent here, else 503.
 * {@code /metrics}: everything that is counted, for Prometheus.
 */
public final class OpsHandler extends Handler.Abstract {

    private static final String TEXT = "text/plain; charset=utf-8";

    private final CollectorRegistry registry;
    private final Readiness readiness;

    public OpsHandler(CollectorRegistry registry, Readiness readiness) {
        this.registry = registry;
        this.readiness = readiness;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        if (!HttpMethod.GET.is(request.getMethod()) && !HttpMethod.HEAD.is(request.getMethod())) {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, HEAD");
            answer(response, callback, 405, TEXT, "Only GET is possible here.\n");
            return true;
        }
        switch (request.getHttpURI().getDecodedPath()) {
            case "/health/live" -> answer(response, callback, 200, TEXT, "alive\n");
            case "/health/ready" -> {
                Readiness.Status status = readiness.status();
                answer(response, callback, status.ready() ? 200 : 503, TEXT, status.status() + "\n");
            }
            case "/metrics" -> metrics(request, response, callback);
            default ->
                answer(response, callback, 404, TEXT, "There are /health/live, /health/ready and /metrics here.\n");
        }
        return true;
    }

    private void metrics(Request request, Response response, Callback callback) throws IOException {
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
