package io.talosgateway.rest.http.talos;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.auth.Operation;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.Answer;
import io.talosgateway.thrift.GalaxyTalosException;
import io.talosgateway.thrift.call.ThriftEnvelope;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.GalaxySignature;
import io.talosgateway.wire.message.ByteSlice;
import io.talosgateway.wire.message.format.SliceTransport;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;

/** Makes the HTTP answers of the Talos interface. Stateless. */
final class TalosReplies {

    private static final String PLAIN_TEXT = "text/plain; charset=utf-8";

    private static final String ERROR_HEADER = "Talos-Error";

    /** The methods of every path of this interface. */
    static final HttpField ALLOW = new HttpField(HttpHeader.ALLOW, "POST, OPTIONS");

    private TalosReplies() {}

    static Answer result(TalosCall call, TalosMethods.Reply reply) {
        ThriftEnvelope.StructWriter result = reply.result();
        GalaxyTalosException exception = reply.exception();
        return thrift(200, call.format(), out -> {
                    if (result != null && exception != null) {
                        ThriftEnvelope.writeResultAndException(
                                out, call.method(), call.sequenceId(), result, exception);
                    } else {
                        ThriftEnvelope.writeResult(out, call.method(), call.sequenceId(), result);
                    }
                })
                .withOutcome(reply.outcome());
    }

    static Answer exception(ThriftFormat format, String method, int sequenceId, GatewayException reason) {
        GalaxyTalosException exception = TalosErrors.exception(reason);
        return thrift(
                        TalosErrors.status(reason.code()),
                        format,
                        out -> ThriftEnvelope.writeException(out, method, sequenceId, exception))
                .withOutcome(reason.code().text());
    }

    /** See {@link TalosErrors#isToldAsApplicationException}. */
    static Answer applicationException(TalosCall call, GatewayException reason) {
        TApplicationException exception =
                new TApplicationException(TApplicationException.INTERNAL_ERROR, reason.detail());
        return thrift(
                        200,
                        call.format(),
                        out -> ThriftEnvelope.writeApplicationException(
                                out, call.method(), call.sequenceId(), exception))
                .withOutcome(reason.code().text());
    }

    /** For a method that the service does not have, or that this gateway refuses on purpose. */
    static Answer unknownMethod(ThriftFormat format, ThriftService service, String method, int sequenceId) {
        TApplicationException exception =
                new TApplicationException(TApplicationException.UNKNOWN_METHOD, whyUnknown(service, method));
        return thrift(200, format, out -> ThriftEnvelope.writeApplicationException(out, method, sequenceId, exception))
                .withOutcome(ErrorCode.NOT_IMPLEMENTED.text());
    }

    private static String whyUnknown(ThriftService service, String method) {
        if (service.method(method) == null) {
            return "Invalid method name: '" + method + "'";
        }
        return "The method '" + method + "' is refused: "
                + Operation.ofTalos(service.idlName(), method).whyRefused();
    }

    /**
     * A plain HTTP error with the stable code in a header. A client whose clock is off is told the time, in seconds since
     * 1970.
     */
    static Answer plain(GatewayException reason, long nowSeconds) {
        List<HttpField> headers = new ArrayList<>();
        headers.add(new HttpField(ERROR_HEADER, reason.code().text()));
        switch (reason.code()) {
            case CLOCK_SKEWED ->
                headers.add(new HttpField(GalaxySignature.TIMESTAMP_HEADER, Long.toString(nowSeconds)));
            case METHOD_NOT_ALLOWED -> headers.add(ALLOW);
            case UNAUTHENTICATED -> headers.add(new HttpField(HttpHeader.WWW_AUTHENTICATE, "Galaxy-V3"));
            default -> {
                // The code says it all.
            }
        }
        return Answer.of(reason.code().httpStatus(), PLAIN_TEXT, ByteSlice.utf8(reason.detail() + "\n"))
                .withHeaders(headers)
                .withOutcome(reason.code().text());
    }

    private static Answer thrift(int status, ThriftFormat format, ThriftEnvelope.StructWriter writer) {
        try {
            SliceTransport transport = new SliceTransport();
            writer.write(format.writing(transport));
            return new Answer(status, format.contentType(), transport.slices(), List.of(), Answer.OK);
        } catch (TException e) {
            throw new IllegalStateException("writing a reply to memory failed", e);
        }
    }
}
