package io.talosgateway.rest.forwarding.thrift;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.forwarding.ForwardConfig;
import io.talosgateway.rest.hostprotocol.Budget;
import io.talosgateway.rest.hostprotocol.HostFrame;
import io.talosgateway.scheduler.NanoClock;
import io.talosgateway.thrift.call.ThriftEnvelope;
import org.apache.thrift.TException;
import org.jspecify.annotations.Nullable;

/** Writes calls down when their turn comes: only then it is known how much time the owner has. Stateless. */
final class CallSender {

    private final ForwardConfig config;
    private final NanoClock clock;

    CallSender(ForwardConfig config, NanoClock clock) {
        this.config = config;
        this.clock = clock;
    }

    /**
     * Claims a call and writes it down.
     *
     * @return null if the call is answered, by this or before
     */
    @Nullable
    HostFrame prepare(Call<?> call, int sequence) {
        Call.Question<?> question = call.question();
        long budgetMs = Budget.of(question.deadline(), clock.nanoTime(), config.reserve());
        if (budgetMs < 1) {
            call.refuse(new GatewayException(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "The time for the request was too short to hand it to the host that serves the partition; nothing was "
                            + "done."));
            return null;
        }
        HostFrame frame;
        try {
            frame = HostFrame.of(out -> ThriftEnvelope.writeCall(
                    out,
                    question.kind().methodName(),
                    sequence,
                    "request",
                    argument -> question.writer().write(argument, budgetMs)));
        } catch (TException | RuntimeException e) {
            call.refuse(new GatewayException(
                    ErrorCode.INTERNAL,
                    "The request could not be written down for the host that serves the partition.",
                    e));
            return null;
        }
        if (frame.length() > config.maxFrame().toBytes()) {
            call.refuse(new GatewayException(
                    ErrorCode.REQUEST_TOO_LARGE,
                    "The request takes " + frame.length() + " bytes on its way to the host that serves the partition; "
                            + config.maxFrame() + " are allowed."));
            return null;
        }
        return call.claim() ? frame : null;
    }
}
