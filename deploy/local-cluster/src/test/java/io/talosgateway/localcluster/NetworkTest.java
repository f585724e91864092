package io.talosgateway.localcluster;

import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

    @Test
    void addressesLeadNowhereYet() throws Exception {
        for (int seed = 0; seed < 50; seed++) {
            assertThat(Network.freePrefix(new Random(seed), any -> true))
                    .matches("(10\\.2[0-4][0-9]|192\\.168)\\.[0-9]+");
            assertThat(Network.freePrefix(new Random(seed), addresses -> addresses.startsWith("192.168.")))
                    .startsWith("192.168.");
        }
    }

    @Test
    void addressesOfAnotherClusterAreNotTaken() throws Exception {
        String first = Network.freePrefix(new Random(1), any -> true);

        assertThat(Network.freePrefix(new Random(1), addresses -> !addresses.equals(first + ".0/24")))
                .isNotEqualTo(first);
        assertThatThrownBy(() -> Network.freePrefix(new Random(1), any -> false))
                .isInstanceOf(ClusterFailure.class)
                .hasMessageContaining("leave it out");
    }

    @Test
    void systemKnowsWhereAddressesLead() throws Exception {
        assumeTrue(ClusterHosts.isOnPath("ip"));

        // To more than these, and to some of these.
        assertThat(Networks.leadNowhere("127.5.0.0/24")).isFalse();
        assertThat(Networks.leadNowhere("126.0.0.0/7")).isFalse();
        // For documentation.
        assertThat(Networks.leadNowhere("203.0.113.0/24")).isTrue();
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
