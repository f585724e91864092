package io.talosgateway.rest.http.ops;

import java.util.Locale;
import java.util.function.Supplier;

import com.google.common.net.InetAddresses;
import io.talosgateway.rest.auth.Authenticator;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.JettySignedRequest;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.HostPort;
import org.jspecify.annotations.Nullable;

/** Who may ask the operations port. Safe for use by any thread. */
public final class OpsAccess {

    private final OpsConfig config;
    private final Supplier<@Nullable Authenticator> authenticator;

    /** @param authenticator null until the keys are read */
    public OpsAccess(OpsConfig config, Supplier<@Nullable Authenticator> authenticator) {
        this.config = config;
        this.authenticator = authenticator;
    }

    /** What a caller may see. */
    enum Access {
        ALL,
        /** No key, or one that is not right. */
        UNKNOWN,
        NOT_ADMIN,
        /** The keys are not read yet. */
        NOT_YET
    }

    /**
     * Whether the request calls this host by a name of its own. A page of another site can have its name lead to this host, and
     * the browser then lets it read the answer; but it cannot change the name that the browser sends. Such names have a dot.
     */
    boolean isCalledByItsName(Request request) {
        String header = request.getHeaders().get(HttpHeader.HOST);
        if (header == null) {
            return true;
        }
        String host;
        try {
            host = new HostPort(header).getHost().toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return false;
        }
        return InetAddresses.isUriInetAddress(host)
                || !host.contains(".")
                || host.equals(config.listen().host().toLowerCase(Locale.ROOT))
                || config.allowedHosts().contains(host);
    }

    Access of(Request request) {
        if (!config.requireKey()) {
            return Access.ALL;
        }
        Authenticator present = authenticator.get();
        if (present == null) {
            return Access.NOT_YET;
        }
        try {
            boolean admin = present.identify(new JettySignedRequest(request), null)
                    .principal()
                    .admin();
            return admin ? Access.ALL : isAnonymous(request) ? Access.UNKNOWN : Access.NOT_ADMIN;
        } catch (GatewayException e) {
            return Access.UNKNOWN;
        }
    }

    private static boolean isAnonymous(Request request) {
        return request.getHeaders().get(HttpHeader.AUTHORIZATION) == null;
    }
}
