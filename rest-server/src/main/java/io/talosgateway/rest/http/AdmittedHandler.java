package io.talosgateway.rest.http;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.scheduler.Timeout;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * A handler that asks for admission, checks everything that the headers say, who asks included, reads the whole body and then
 * handles it. A refusal costs no body.
 */
public abstract class AdmittedHandler extends Handler.Abstract {

    /** Whoever has not said who he is asks for the version, or nothing that has a body. */
    private static final int MAX_BODY_WITHOUT_KEY = 64 * 1024;

    private static final String ADDRESS = AdmittedHandler.class.getName() + ".address";

    private final String interfaceName;
    protected final HttpParts parts;

    protected AdmittedHandler(String interfaceName, HttpParts parts) {
        super(InvocationType.NON_BLOCKING);
        this.interfaceName = interfaceName;
        this.parts = parts;
    }

    /** Whether this handler takes the request; decided by its path. */
    protected abstract boolean accepts(Request request);

    /** What is done with a request once its body is there. On a Jetty thread: must not block. */
    @FunctionalInterface
    protected interface Work {

        /** @throws GatewayException to have {@link #refuse} called */
        void run(ByteSlice body);
    }

    /**
     * Checks a request before a byte of its body is stored: what it wants, and who asks.
     *
     * @throws GatewayException to have {@link #refuse} called
     */
    protected abstract Work prepare(Exchange exchange);

    /** Answers that the request fails. */
    protected abstract void refuse(Exchange exchange, GatewayException reason);

    @Override
    public final boolean handle(Request request, Response response, Callback callback) {
        if (!accepts(request)) {
            return false;
        }
        DrainingCallback end =
                new DrainingCallback(request, response, callback, parts.timer(), parts.answers(), parts.clock());
        Exchange exchange = new Exchange(interfaceName, request, response, end, parts);
        request.addHttpStreamWrapper(stream -> new Completion(stream, exchange));
        try {
            checkCodings(request, response);
            admit(exchange, end);
        } catch (Throwable e) {
            fail(exchange, e);
        }
        return true;
    }

    /** Tells an exchange of the end of its request, as {@code Request.addCompletionListener} would with a list. */
    private static final class Completion extends HttpStream.Wrapper {

        private final Exchange exchange;

        Completion(HttpStream stream, Exchange exchange) {
            super(stream);
            this.exchange = exchange;
        }

        @Override
        public void succeeded() {
            try {
                exchange.completed();
            } finally {
                super.succeeded();
            }
        }

        @Override
        public void failed(Throwable failure) {
            try {
                exchange.completed();
            } finally {
                super.failed(failure);
            }
        }
    }

    /** Jetty decodes chunks, and gives the body as it is if there are further codings. */
    private static void checkCodings(Request request, Response response) {
        if (!request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING)) {
            return;
        }
        for (String coding : request.getHeaders().getCSV(HttpHeader.TRANSFER_ENCODING, false)) {
            if (!HttpHeaderValue.CHUNKED.is(coding)) {
                // Another server on the way may find the end of this request elsewhere.
                response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
                throw new GatewayException(
                        ErrorCode.NOT_IMPLEMENTED,
                        "The only Transfer-Encoding that this gateway takes is chunked; use Content-Encoding for a compressed body.");
            }
        }
    }

    private void admit(Exchange exchange, DrainingCallback end) {
        Request request = exchange.request();
        Origins.check(request, parts.config().allowedOrigins());
        int maxBytes = parts.limits().maxBodySize().toBytesInt();
        long announced = announced(request);
        if (announced > maxBytes) {
            throw BodyReader.tooLarge(maxBytes);
        }
        String address = address(request);
        var permit = parts.admission().admit(address);
        exchange.hold(permit, address);
        Work work = prepare(exchange);
        if (announced == 0) {
            end.bodyRead();
            run(exchange, work, ByteSlice.EMPTY);
            return;
        }
        if (exchange.caller().keyId() == null && !exchange.caller().principal().admin()) {
            maxBytes = Math.min(maxBytes, MAX_BODY_WITHOUT_KEY);
            if (announced > maxBytes) {
                throw BodyReader.tooLarge(maxBytes);
            }
        }
        BodyReader.Listener listener = new BodyReader.Listener() {
            @Override
            public void body(ByteSlice body) {
                end.bodyRead();
                exchange.received(body);
                try {
                    run(exchange, work, body);
                } catch (Throwable e) {
                    fail(exchange, e);
                }
            }

            @Override
            public void refused(GatewayException reason) {
                fail(exchange, reason);
            }

            @Override
            public void clientGone(Throwable cause) {
                exchange.abort(cause);
            }

            @Override
            public void failed(Throwable cause) {
                fail(exchange, cause);
            }
        };
        new BodyReader(
                        request,
                        exchange.executor(isSmall(request, announced)),
                        permit,
                        maxBytes,
                        parts.bodies(),
                        parts.config(),
                        parts.timer(),
                        parts.answers(),
                        parts.clock(),
                        listener)
                .start();
    }

    /** Bytes of the body; -1 if that is not known before its end. Without a word about a body there is none (RFC 9112, 6.3). */
    private static long announced(Request request) {
        long length = request.getLength();
        return length < 0 && !request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING) ? 0 : length;
    }

    /** Whether the thread that serves connections may read and decode the body. A large one would hold up everybody. */
    private static boolean isSmall(Request request, long announced) {
        return announced >= 0
                && announced <= Exchange.SMALL_BYTES
                && !request.getHeaders().contains(HttpHeader.CONTENT_ENCODING);
    }

    private static void run(Exchange exchange, Work work, ByteSlice body) {
        exchange.caller().check(body);
        exchange.workBegins();
        work.run(body);
    }

    /** The client's address, without its port. */
    static String address(Request request) {
        // Kept with the connection: Jetty makes the text anew whenever it is asked.
        ConnectionMetaData connection = request.getConnectionMetaData();
        if (connection.getAttribute(ADDRESS) instanceof String known) {
            return known;
        }
        String address = Objects.requireNonNullElse(Request.getRemoteAddr(request), "");
        connection.setAttribute(ADDRESS, address);
        return address;
    }

    /** Answers that the request fails, whatever it was; ends the exchange without an answer if that fails, too. */
    private void fail(Exchange exchange, Throwable failure) {
        try {
            GatewayException reason = reason(exchange, failure);
            exchange.refused(reason);
            refuse(exchange, reason);
        } catch (Throwable e) {
            parts.failures().log(exchange, e);
            exchange.abort(e);
        }
    }

    /** The failure of a step or a future as the client is told it. */
    protected final GatewayException reason(Exchange exchange, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof GatewayException known) {
            return known;
        }
        parts.failures().log(exchange, cause);
        return new GatewayException(
                ErrorCode.INTERNAL, "The gateway made a mistake; its operator finds it in the log.", cause);
    }

    /**
     * Has {@code whenDone} called with the future's result on the thread that completes it, or {@link #refuse} with its
     * failure. If the future is not complete at the server's limit, the answer is that the time ran out.
     */
    protected final <T> void answer(Exchange exchange, CompletableFuture<T> future, Consumer<T> whenDone) {
        Timeout timeout =
                future.isDone() || exchange.requestClass().answersInTime() ? null : new ServersLimit(exchange);
        if (timeout != null) {
            parts.timer().schedule(timeout, exchange.deadline());
        }
        future.whenComplete((result, failure) -> {
            if (timeout != null) {
                parts.timer().cancel(timeout);
            }
            if (failure != null) {
                fail(exchange, failure);
                return;
            }
            try {
                whenDone.accept(result);
            } catch (Throwable e) {
                fail(exchange, e);
            }
        });
    }

    private final class ServersLimit extends Timeout {

        private final Exchange exchange;

        ServersLimit(Exchange exchange) {
            this.exchange = exchange;
        }

        @Override
        protected void deadlinePassed() {
            parts.answers().execute(() -> fail(exchange, outOfTime(exchange)));
        }
    }

    private static GatewayException outOfTime(Exchange exchange) {
        return exchange.requestClass() == RequestClass.ADMIN
                ? new GatewayException(
                        ErrorCode.OUTCOME_UNKNOWN,
                        "The time for the request ran out: the change may or may not be made. Look at the topic or key to see.")
                : new GatewayException(ErrorCode.DEADLINE_EXCEEDED, "The time for the request ran out.");
    }
}
