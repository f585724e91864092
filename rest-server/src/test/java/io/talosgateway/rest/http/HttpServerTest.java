package io.talosgateway.rest.http;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

final class HttpServerTest {

    @ParameterizedTest
    @CsvSource({"16, 2, 4", "64, 16, 16", "200, 2, 4", "16, 1, 2", "3, 8, 1"})
    void someOfTheThreadsSelect(int threads, int cores, int selectors) {
        assertThat(HttpServer.selectors(threads, cores)).isEqualTo(selectors);
    }
}
