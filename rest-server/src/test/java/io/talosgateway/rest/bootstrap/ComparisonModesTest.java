package io.talosgateway.rest.bootstrap;

import io.talosgateway.rest.config.Dispatch;
import io.talosgateway.rest.http.BlockingHandler;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ComparisonModesTest {

    private final Handler handler = new DefaultHandler();

    @Test
    void blockingRequestsHoldTheirThreads() {
        assertThat(new ComparisonModes(Dispatch.BLOCKING).http(handler))
                .isInstanceOfSatisfying(
                        BlockingHandler.class,
                        blocking -> assertThat(blocking.getHandler()).isSameAs(handler));
    }

    @Test
    void nothingIsWrappedOtherwise() {
        assertThat(new ComparisonModes(Dispatch.ASYNCHRONOUS).http(handler)).isSameAs(handler);
    }
}
