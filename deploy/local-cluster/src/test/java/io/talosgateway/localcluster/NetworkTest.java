package io.talosgateway.localcluster;

import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Names and addresses of a cluster's network, as far as they need no network. */
final class NetworkTest {

    private final Network network = new Network("0123456789abcdef", "10.201.7");

    @Test
    void namesAreShortEnoughForLinks() {
        assertThat(network.bridge()).isEqualTo("tl0123456789");
        assertThat(network.name(Host.gateway(16))).isEqualTo("tl0123456789-16").hasSizeLessThanOrEqualTo(15);
    }

    @Test
    void onlyWhatBearsTheNameOfTheClusterIsItsOwn() {
        assertThat(List.of("tl0123456789", "tl0123456789-1", "tl0123456789-16")).allMatch(network::owns);
        assertThat(List.of("eth0", "tl0123456788-1", "tl01234567890", "x-tl0123456789-1"))
                .noneMatch(network::owns);
    }

    @Test
    void gatewaysHaveAddressesOfTheirOwnAndTheOthersShareOne() {
        assertThat(network.address(Host.ZOOKEEPER)).isEqualTo("10.201.7.1");
        assertThat(network.address(Host.dataNode(3))).isEqualTo("10.201.7.1");
        assertThat(network.address(Host.gateway(1))).isEqualTo("10.201.7.11");
        assertThat(network.addressWithLength(Host.gateway(16))).isEqualTo("10.201.7.26/24");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.0.0.0/9 dev eth0",
                "10.128.0.0/9 via 192.0.2.1 dev tun0",
                "unreachable 10.128.0.0/9",
                "local 10.249.255.255 dev lo table local proto kernel",
                "default via 192.0.2.1 dev eth0",
                "local ::1 dev lo"
            })
    void addressesLeadNowhereYet(String route) {
        for (int seed = 0; seed < 50; seed++) {
            String prefix = Network.freePrefix(List.of(route), new Random(seed));
            if (route.contains("10.128.0.0/9")) {
                assertThat(prefix).startsWith("192.168.");
            } else {
                assertThat(prefix).matches("(10\\.2[0-4][0-9]|192\\.168)\\.[0-9]+");
            }
        }
    }

    @Test
    void addressesOfAnotherClusterAreNotTaken() {
        List<String> routes = List.of("10.128.0.0/9 dev tun0", "192.168.0.0/17 dev eth1", "192.168.128.0/18 dev eth2");
        String first = Network.freePrefix(routes, new Random(1));

        String second = Network.freePrefix(
                List.of(routes.get(0), routes.get(1), routes.get(2), first + ".0/24 dev tl0123456789"), new Random(1));

        assertThat(second).startsWith("192.168.").isNotEqualTo(first);
        assertThatThrownBy(() -> Network.freePrefix(List.of("10.0.0.0/8", "192.168.0.0/16"), new Random(1)))
                .isInstanceOf(ClusterFailure.class)
                .hasMessageContaining("leave it out");
    }

    @Test
    void linksAreReadFromWhatTheSystemPrints() {
        assertThat(Networks.links(List.of(
                        "1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536 qdisc noqueue state UNKNOWN",
                        "6: tl0123456789-1@if2: <BROADCAST,MULTICAST> mtu 1500 qdisc noqueue master tl0123456789",
                        "7: tl0123456789-2@if2: <NO-CARRIER,BROADCAST,UP> mtu 1500 \\    link/ether 02:00",
                        "")))
                .isEqualTo(Map.of("lo", true, "tl0123456789-1", false, "tl0123456789-2", true));
    }
}
