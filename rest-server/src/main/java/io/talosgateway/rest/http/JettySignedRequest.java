package io.talosgateway.rest.http;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.talosgateway.rest.auth.BasicCredentials;
import io.talosgateway.wire.auth.SignedRequest;
import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.EndPoint.SslSessionData;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/** A request of Jetty's as authentication sees it, before its body is read. */
public record JettySignedRequest(Request request) implements SignedRequest, BasicCredentials.Memory {

    private static final String CREDENTIALS = JettySignedRequest.class.getName() + ".credentials";

    @Override
    public @Nullable BasicCredentials last() {
        return (BasicCredentials) request.getConnectionMetaData().getAttribute(CREDENTIALS);
    }

    @Override
    public void keep(BasicCredentials credentials) {
        request.getConnectionMetaData().setAttribute(CREDENTIALS, credentials);
    }

    /** Empty: what is signed is the digest in a header, which is compared with the body later. */
    @Override
    public ByteSlice body() {
        return ByteSlice.EMPTY;
    }

    /** The certificate that the client has proved to have, of an authority that the listener trusts; null without one. */
    public @Nullable X509Certificate clientCertificate() {
        if (request.getAttribute(SslSessionData.ATTRIBUTE) instanceof SslSessionData session) {
            X509Certificate[] chain = session.peerCertificates();
            return chain == null || chain.length == 0 ? null : chain[0];
        }
        return null;
    }

    @Override
    public String method() {
        return request.getMethod();
    }

    @Override
    public String path() {
        return request.getHttpURI().getDecodedPath();
    }

    @Override
    public @Nullable String query() {
        return request.getHttpURI().getQuery();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeaders().get(name);
    }

    @Override
    public int countHeaders(String name) {
        int count = 0;
        for (HttpField field : request.getHeaders()) {
            count += field.getName().equalsIgnoreCase(name) ? 1 : 0;
        }
        return count;
    }

    @Override
    public List<Header> headersStartingWith(String prefix) {
        List<Header> headers = new ArrayList<>();
        for (HttpField field : request.getHeaders()) {
            // Nearly none does: the others need no copies of their names.
            if (field.getName().regionMatches(true, 0, prefix, 0, prefix.length())) {
                String value = field.getValue();
                headers.add(new Header(field.getName().toLowerCase(Locale.ROOT), value == null ? "" : value));
            }
        }
        return headers;
    }
}
