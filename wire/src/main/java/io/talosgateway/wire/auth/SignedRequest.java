package io.talosgateway.wire.auth;

import java.util.List;
import java.util.Locale;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/** What of a request is signed, as it is sent or received. */
public interface SignedRequest {

    String method();

    /** The path, decoded. */
    String path();

    /** The query as received, without the question mark; null if there is none. */
    @Nullable
    String query();

    /** First value of a header, or null; names are compared without case. */
    @Nullable
    String header(String name);

    /** How many headers have this name, compared without case. */
    default int countHeaders(String name) {
        String lowerCase = name.toLowerCase(Locale.ROOT);
        return (int) headersStartingWith(lowerCase).stream()
                .filter(header -> header.lowerCaseName.equals(lowerCase))
                .count();
    }

    /** Names, in lower case, and values of the headers whose lower-case name starts with {@code prefix}, as received. */
    List<Header> headersStartingWith(String prefix);

    ByteSlice body();

    /** A header line; several of the same name are several lines. */
    record Header(String lowerCaseName, String value) {}
}
