package io.talosgateway.rest.topic;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

final class GrantsTest {

    private static TopicMetadata topic(Map<String, Integer> acl) {
        return new TopicMetadata(
                new TopicName("t"),
                new TopicId(1, 2),
                "alice",
                1,
                Duration.ofDays(1),
                Map.of(),
                acl,
                Quota.UNLIMITED,
                1);
    }

    @Test
    void grantReplacesTheOneBeforeAndIsRevokedWhole() {
        TopicMetadata topic = topic(Map.of("bob", 7, "carol", 2));
        assertThat(Grants.granted(topic, "bob", 1)).isEqualTo(Map.of("bob", 1, "carol", 2));
        assertThat(Grants.granted(topic, "dave", 4)).isEqualTo(Map.of("bob", 7, "carol", 2, "dave", 4));
        assertThat(Grants.revoked(topic, "bob")).isEqualTo(Map.of("carol", 2));
        assertThat(Grants.revoked(topic, "nobody")).isEqualTo(topic.acl());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 16, 12, 31, 32, -1})
    void onlyPutGetAndDescribeCanBeGranted(int bits) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grants.granted(topic(Map.of()), "bob", bits))
                .withMessageContaining("bits " + bits);
        assertThatIllegalArgumentException().isThrownBy(() -> Grants.ofNew("alice", Map.of("bob", bits)));
    }

    @Test
    void ownerIsNeitherGrantedNorRevokedAnything() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grants.granted(topic(Map.of()), "alice", 7))
                .withMessageContaining("owns the topic");
        assertThatIllegalArgumentException().isThrownBy(() -> Grants.revoked(topic(Map.of()), "alice"));
        assertThat(Grants.ofNew("alice", Map.of("alice", 31, "bob", 1))).isEqualTo(Map.of("bob", 1));
    }

    @Test
    void teamThatATopicWasHandedToIsShownAndGrantedNothingMore() {
        TopicMetadata topic = topic(Map.of("bob", 1, "CI1", 2)).withSubResource(SubResource.of("CL1", "CI1"));
        assertThat(Grants.of(topic)).isEqualTo(Map.of("bob", 1, "CI1", 31));
        assertThat(Grants.of(topic, "CI1")).isEqualTo(31);
        assertThat(Grants.of(topic, "bob")).isEqualTo(1);
        assertThat(Grants.of(topic, "CL1")).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grants.granted(topic, "CI1", 4))
                .withMessageContaining("revoke that first");
    }

    @Test
    void namesAndNumbersAreBounded() {
        String longest = "p".repeat(Grants.MAX_PRINCIPAL_LENGTH);
        assertThat(Grants.granted(topic(Map.of()), longest, 1)).containsKey(longest);
        for (String wrong : List.of("", " ", longest + "p", "a\nb")) {
            assertThatIllegalArgumentException().isThrownBy(() -> Grants.granted(topic(Map.of()), wrong, 1));
        }
        Map<String, Integer> full = new HashMap<>();
        for (int number = 0; number < Grants.MAX_GRANTS; number++) {
            full.put("p" + number, 1);
        }
        assertThat(Grants.ofNew("alice", full)).hasSize(Grants.MAX_GRANTS);
        assertThat(Grants.granted(topic(full), "p0", 7)).hasSize(Grants.MAX_GRANTS);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Grants.granted(topic(full), "one-more", 1))
                .withMessageContaining("at most " + Grants.MAX_GRANTS);
    }

    @Test
    void namesOfPermissionsAreRead() {
        assertThat(Grants.parse(List.of("put", "describe", "put"))).isEqualTo(5);
        assertThat(Grants.texts(5)).containsExactly("put", "describe");
        for (String wrong : List.of("PUT", "change-topic", "change-permission", "")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Grants.parse(List.of("put", wrong)))
                    .withMessageContaining("put, get, describe");
        }
    }

    @Test
    void bitsThatMeanNothingAreNotShown() {
        assertThat(Grants.of(topic(Map.of("bob", 31, "carol", 24)))).isEqualTo(Map.of("bob", 7));
    }
}
