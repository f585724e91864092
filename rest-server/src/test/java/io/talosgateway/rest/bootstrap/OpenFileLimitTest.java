package io.talosgateway.rest.bootstrap;

import java.util.Map;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class OpenFileLimitTest {

    private static final GatewayConfig ALONE = GatewayConfig.of(Map.of("http.max-connections", "5000"));
    private static final GatewayConfig OF_A_CLUSTER = GatewayConfig.of(Map.of(
            "http.max-connections",
            "5000",
            "zookeeper.connect",
            "zk:2181",
            "peer.secret",
            "the secret of the hosts",
            "peer.max-connections",
            "300",
            "peer.max-strangers",
            "20"));

    @Test
    void limitBelowWhatIsConfiguredIsSaid() {
        assertThat(OpenFileLimit.warning(6_000, ALONE)).isNull();
        assertThat(OpenFileLimit.warning(5_999, ALONE))
                .contains("5999", "6000", "http.max-connections", "ulimit -n", "LimitNOFILE");
        assertThat(OpenFileLimit.warning(6_320, OF_A_CLUSTER)).isNull();
        assertThat(OpenFileLimit.warning(6_319, OF_A_CLUSTER)).contains("6319", "6320", "320 of other hosts");
    }

    @Test
    void unlimitedIsEnough() {
        assertThat(OpenFileLimit.warning(Long.MAX_VALUE, OF_A_CLUSTER)).isNull();
    }
}
