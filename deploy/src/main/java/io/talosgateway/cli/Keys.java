package io.talosgateway.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.auth.KeySettings;
import io.talosgateway.rest.auth.NewKey;
import org.jspecify.annotations.Nullable;

/** Keys that can be changed. Methods fail with a sentence for the user. */
interface Keys {

    /** Where they are, for people. */
    String place();

    Secret create(NewKey wanted) throws IOException;

    List<Row> list() throws IOException;

    void change(String id, UnaryOperator<KeySettings> change) throws IOException;

    Secret rotate(String id, Duration keepOldFor) throws IOException;

    void delete(String id) throws IOException;

    /** What is shown once. */
    record Secret(String id, String secret, String owner) {}

    /**
     * A key as it is listed.
     *
     * @param problem why the gateway cannot read it; then most else is missing
     */
    record Row(
            String id,
            @Nullable String owner,
            boolean admin,
            List<String> permissions,
            List<String> topics,
            boolean disabled,
            @Nullable Long expiresAtMs,
            @Nullable Long lastUsedAtMs,
            @Nullable String source,
            @Nullable String description,
            @Nullable String problem,
            long createdAtMs) {

        public Row {
            permissions = permissions == null ? List.of() : permissions;
            topics = topics == null ? List.of() : topics;
        }
    }
}
