package io.talosgateway.rest.http;

import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class LoggedTargetTest {

    private static String of(String uri) {
        return LoggedTarget.of(HttpURI.from(uri));
    }

    @Test
    void whereAndHowMuchIsShown() {
        assertThat(of("/v1/topics/t/partitions/0/messages?offset=7&max-messages=3&wait=5s"))
                .isEqualTo("/v1/topics/t/partitions/0/messages?offset=7&max-messages=3&wait=5s");
        assertThat(of("/v1/talos/message?type=putMessage")).isEqualTo("/v1/talos/message?type=putMessage");
        assertThat(of("/")).isEqualTo("/");
    }

    @Test
    void otherValuesAreHidden() {
        assertThat(of("/p?signature=abc&key=customer-7&offset=1&fencing-token=t"))
                .isEqualTo("/p?signature=...&key=...&offset=1&fencing-token=...");
    }

    @Test
    void whatHasNoNameIsHidden() {
        assertThat(of("/p?c2VjcmV0&offset")).isEqualTo("/p?...&offset");
        assertThat(of("/p?")).isEqualTo("/p?...");
    }

    @Test
    void longTargetIsCut() {
        assertThat(of("/" + "x".repeat(1_000))).hasSize(512);
        assertThat(LoggedTarget.of(null)).isNull();
    }
}
