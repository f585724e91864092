package io.talosgateway.rest.http;

import java.util.List;

import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpStatus;

/** What a request is answered with. The body is the parts, one after another. */
public record Answer(int status, String contentType, List<ByteSlice> body, List<HttpField> headers, String outcome) {

    public static final String OK = "ok";

    public static Answer of(int status, String contentType, ByteSlice body) {
        return new Answer(status, contentType, List.of(body), List.of(), OK);
    }

    /** An answer that is nothing but headers. */
    public static Answer noContent(List<HttpField> headers) {
        return new Answer(HttpStatus.NO_CONTENT_204, "", List.of(), headers, OK);
    }

    /** The same answer counted under another outcome. */
    public Answer withOutcome(String newOutcome) {
        return new Answer(status, contentType, body, headers, newOutcome);
    }

    public Answer withHeaders(List<HttpField> newHeaders) {
        return new Answer(status, contentType, body, newHeaders, outcome);
    }
}
