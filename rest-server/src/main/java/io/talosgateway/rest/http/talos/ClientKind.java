package io.talosgateway.rest.http.talos;

import org.jspecify.annotations.Nullable;

/** Which SDK a request comes from, by its User-Agent. The version in it is always 1.0.0 and tells nothing. */
enum ClientKind {
    JAVA,
    GO,
    OTHER;

    static ClientKind of(@Nullable String userAgent) {
        if (userAgent == null) {
            return OTHER;
        }
        if (userAgent.startsWith("Java-SDK/")) {
            return JAVA;
        }
        return userAgent.startsWith("Go-SDK/") ? GO : OTHER;
    }
}
