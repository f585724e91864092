package io.talosgateway.rest.auth;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How clients prove who they are.
 *
 * @param keyFile where the keys are
 * @param clockTolerance how far the clock of a client may be off
 * @param allowGuests whether requests without credentials may do everything; for tests on a closed network only
 */
public record AuthConfig(Path keyFile, Duration clockTolerance, boolean allowGuests) {

    public AuthConfig {
        if (clockTolerance.toSeconds() < 1) {
            throw new IllegalArgumentException("auth.clock-tolerance must be at least 1s: " + clockTolerance);
        }
    }
}
