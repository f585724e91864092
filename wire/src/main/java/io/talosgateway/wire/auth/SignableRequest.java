package io.talosgateway.wire.auth;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** A request that is being made, for its sender to sign. For one thread. */
public final class SignableRequest implements SignedRequest {

    private final String method;
    private final String path;
    private final @Nullable String query;
    private final ByteSlice body;
    private final List<Header> headers = new ArrayList<>();

    public SignableRequest(String method, String path, @Nullable String query, ByteSlice body) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.body = body;
    }

    /** Adds a header line behind the others. */
    public SignableRequest with(String name, String value) {
        headers.add(new Header(name.toLowerCase(Locale.ROOT), value));
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public @Nullable String query() {
        return query;
    }

    @Override
    public @Nullable String header(String name) {
        for (Header header : headers) {
            if (header.lowerCaseName().equalsIgnoreCase(name)) {
                return header.value();
            }
        }
        return null;
    }

    @Override
    public List<Header> headersStartingWith(String prefix) {
        return headers.stream()
                .filter(header -> header.lowerCaseName().startsWith(prefix))
                .toList();
    }

    @Override
    public ByteSlice body() {
        return body;
    }
}
