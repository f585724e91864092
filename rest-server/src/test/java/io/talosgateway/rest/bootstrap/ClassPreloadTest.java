package io.talosgateway.rest.bootstrap;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ClassPreloadTest {

    @Test
    void classesOfAllModulesAreLoaded() {
        // Those of the gateway, the scheduler and the wire format; what a directory of one of them has is far less.
        assertThat(ClassPreload.run()).isGreaterThan(400);
    }
}
