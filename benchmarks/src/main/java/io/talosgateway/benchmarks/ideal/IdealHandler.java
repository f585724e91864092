package io.talosgateway.benchmarks.ideal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Takes a body on whatever path, has it stored, and answers 20 bytes. */
final class IdealHandler extends Handler.Abstract.NonBlocking {

    private static final int ANSWER_BYTES = 20;
    private static final int MAX_BODY_BYTES = 64 << 20;

    private final byte[] answer = "0123456789abcdefghi\n".getBytes(StandardCharsets.US_ASCII);
    private final HttpField answerLength = new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, ANSWER_BYTES);
    private final Store store;

    /**
     * Stores a body; the consumer is called once when it is durable, or with why it is not, on a thread that may write the
     * answer.
     */
    interface Store extends BiConsumer<ByteSlice, Consumer<@Nullable Throwable>> {}

    IdealHandler(Store store) {
        this.store = store;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        long length = request.getLength();
        if (length < 0 || length > MAX_BODY_BYTES) {
            Response.writeError(request, response, callback, 411, "A body of a known length is wanted");
            return true;
        }
        new ExactBody(request, (int) length, (body, failure) -> {
                    if (body == null) {
                        callback.failed(failure);
                    } else {
                        store(request, response, callback, body);
                    }
                })
                .run();
        return true;
    }

    private void store(Request request, Response response, Callback callback, ByteSlice body) {
        try {
            store.accept(body, failure -> {
                if (failure == null) {
                    response.setStatus(200);
                    response.getHeaders().put(answerLength);
                    response.write(true, ByteBuffer.wrap(answer), callback);
                } else {
                    Response.writeError(request, response, callback, 503, failure.getMessage());
                }
            });
        } catch (RuntimeException e) {
            Response.writeError(request, response, callback, 503, e.getMessage());
        }
    }
}
