package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.resource.v1.Resource;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;

/** A collector of traces that takes OTLP over HTTP as protobuf. */
final class TraceCollector implements AutoCloseable {

    private final List<Recorded> spans = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /** @param host that has recorded it */
    record Recorded(String host, Span span) {

        String traceId() {
            return hex(span.getTraceId());
        }

        String id() {
            return hex(span.getSpanId());
        }

        String parentId() {
            return hex(span.getParentSpanId());
        }

        private static String hex(ByteString bytes) {
            return HexFormat.of().formatHex(bytes.toByteArray());
        }
    }

    TraceCollector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", this::take);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void take(HttpExchange exchange) throws IOException {
        ExportTraceServiceRequest request = ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
        for (ResourceSpans ofHost : request.getResourceSpansList()) {
            for (ScopeSpans scope : ofHost.getScopeSpansList()) {
                scope.getSpansList().forEach(span -> spans.add(new Recorded(host(ofHost.getResource()), span)));
            }
        }
        byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
        exchange.close();
    }

    private static String host(Resource resource) {
        return resource.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("service.instance.id"))
                .map(KeyValue::getValue)
                .findAny()
                .orElseThrow()
                .getStringValue();
    }

    /** The spans of a trace that have come so far. */
    List<Recorded> spans(String traceId) {
        return spans.stream().filter(span -> span.traceId().equals(traceId)).toList();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
