package io.talosgateway.loadgen.request;

import java.time.InstantSource;
import java.util.Map;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.thrift.call.ThriftMethod;
import io.talosgateway.thrift.call.ThriftService;
import io.talosgateway.wire.auth.RequestSigner;
import io.talosgateway.wire.thrift.ThriftFormat;
import org.jspecify.annotations.Nullable;

/** The lines in front of a call of the Thrift interface, signed as the SDKs sign it. Immutable. */
final class ThriftHead {

    private static final ThriftService SERVICE = ThriftService.MESSAGE;
    private static final String TYPE = ThriftFormat.COMPACT.contentType();

    private final String start;
    private final @Nullable RequestSigner signer;

    ThriftHead(LoadPlan plan, ThriftMethod<?, ?> method, InstantSource clock) {
        Credentials key = plan.target().credentials();
        this.signer = key == null ? null : new RequestSigner(key.id(), key.secret(), clock);
        // The method's name in the query is for logs, as with the SDKs.
        this.start = "POST %s?type=%s HTTP/1.1\r\n%sContent-Type: %s\r\nAccept: %s\r\n"
                .formatted(SERVICE.path(), method.name(), plan.target().headers(null), TYPE, TYPE);
    }

    /**
     * All lines but those of the length, of an idempotency key, and the empty one.
     *
     * @param digest MD5 of the body
     */
    String lines(String digest) {
        if (signer == null) {
            return start;
        }
        StringBuilder lines = new StringBuilder(start);
        for (Map.Entry<String, String> header :
                signer.headers(SERVICE.path(), TYPE, digest).entrySet()) {
            lines.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
        }
        return lines.toString();
    }
}
