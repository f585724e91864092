package io.talosgateway.rest.http.rest;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

import io.talosgateway.rest.bootstrap.TestGateway;
import org.jspecify.annotations.Nullable;

/** Reads a stream of events as a browser does. For one thread, which waits until there is something. */
public final class EventClient implements AutoCloseable {

    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;
    private String lastEventId = "";

    private EventClient(HttpResponse<InputStream> response) {
        this.response = response;
        this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    /** @param name "message" if the stream does not say */
    public record Event(String id, String name, String data) {

        /** The offset of a message; of a failure there is none. */
        public long offset() {
            if (!name.equals("message")) {
                throw new AssertionError(this.toString());
            }
            return Long.parseLong(id);
        }
    }

    /** @param lastEventId null for a client that has seen none */
    public static EventClient open(TestGateway gateway, String path, @Nullable String lastEventId)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = gateway.request(path).header("Accept", "text/event-stream");
        if (lastEventId != null) {
            request.header("Last-Event-ID", lastEventId);
        }
        return open(gateway, request.build());
    }

    public static EventClient open(TestGateway gateway, HttpRequest request) throws IOException, InterruptedException {
        return new EventClient(gateway.client().send(request, HttpResponse.BodyHandlers.ofInputStream()));
    }

    public HttpResponse<InputStream> response() {
        return response;
    }

    /** What a browser would send when it comes again. */
    public String lastEventId() {
        return lastEventId;
    }

    /** All that is left, of an answer that is no stream. */
    public String text() throws IOException {
        StringBuilder text = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            text.append(line).append('\n');
        }
        return text.toString();
    }

    /** The next line; null at the end. */
    public @Nullable String line() throws IOException {
        String line = lines.readLine();
        if (line != null && line.startsWith("id: ")) {
            lastEventId = line.substring("id: ".length());
        }
        return line;
    }

    /** The next event that has data; null at a proper end. */
    public @Nullable Event next() throws IOException {
        String name = "message";
        StringBuilder data = new StringBuilder();
        for (String line = line(); line != null; line = line()) {
            if (line.startsWith("event: ")) {
                name = line.substring("event: ".length());
            } else if (line.startsWith("data: ")) {
                data.append(line.substring("data: ".length()));
            } else if (line.isEmpty()) {
                if (!data.isEmpty()) {
                    return new Event(lastEventId, name, data.toString());
                }
                name = "message";
            } else if (!line.startsWith("id: ") && !line.startsWith("retry: ") && !line.startsWith(":")) {
                throw new AssertionError("no line of an event: " + line);
            }
        }
        return null;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
