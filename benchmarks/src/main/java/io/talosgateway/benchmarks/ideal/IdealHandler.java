package io.talosgateway.benchmarks.ideal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;

/** Takes a body on whatever path, has it stored, and answers 20 bytes. */
final class IdealHandler extends Handler.Abstract.NonBlocking {

    private static final int MAX_BODY_BYTES = 64 << 20;

    private final byte[] answer = "0123456789abcdefghi\n".getBytes(StandardCharsets.US_ASCII);
    private final HttpField answerLength = new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, answer.length);
    private final Function<byte[], CompletionStage<?>> store;

    /** @param store completed when the body is durable, on a thread that may write the answer */
    IdealHandler(Function<byte[], CompletionStage<?>> store) {
        this.store = store;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Content.Source.asByteArrayAsync(
                request,
                MAX_BODY_BYTES,
                Promise.Invocable.from(
                        InvocationType.NON_BLOCKING,
                        body -> store(request, response, callback, body),
                        callback::failed));
        return true;
    }

    private void store(Request request, Response response, Callback callback, byte[] body) {
        store.apply(body).whenComplete((stored, failure) -> {
            if (failure == null) {
                response.setStatus(200);
                response.getHeaders().put(answerLength);
                response.write(true, ByteBuffer.wrap(answer), callback);
            } else {
                Response.writeError(request, response, callback, 503, failure.getMessage());
            }
        });
    }
}
