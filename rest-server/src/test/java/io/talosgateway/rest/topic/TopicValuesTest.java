package io.talosgateway.rest.topic;

import java.time.Duration;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

final class TopicValuesTest {

    @ParameterizedTest
    @ValueSource(strings = {"a", "A9", "a_b-c", "0", "a-", "x_y"})
    void namesThatTheSdksAllow(String name) {
        assertThat(new TopicName(name).value()).isEqualTo(name);
        assertThat(new TopicName("x".repeat(80)).value()).hasSize(80);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "_a", "-a", "a_", "a b", "a.b", "a#b", "a/b", "ä", "a\n", "a\nb"})
    void otherNamesAreRefusedWithTheRule(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TopicName(name))
                .withMessageContaining("1 to 80 letters, digits, '_' and '-'");
    }

    @Test
    void longNameIsNotRepeatedWhole() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TopicName("x".repeat(100_000)))
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(300));
    }

    @Test
    void topicIdIsThirtyTwoHexDigits() {
        TopicId id = TopicId.random(new Random(1));

        assertThat(id.toString()).matches("[0-9a-f]{32}");
        assertThat(TopicId.parse(id.toString())).isEqualTo(id);
        assertThatIllegalArgumentException().isThrownBy(() -> TopicId.parse("00"));
        assertThatIllegalArgumentException().isThrownBy(() -> TopicId.parse("g".repeat(32)));
    }

    @Test
    void resourceNameTellsOwnerNameAndIncarnation() {
        TopicMetadata topic = new TopicMetadata(
                new TopicName("t"),
                new TopicId(1, 2),
                "CL1",
                3,
                Duration.ofHours(1),
                Map.of("talos.durability", "memory"),
                Map.of(),
                Quota.UNLIMITED,
                0);

        assertThat(topic.resourceName()).isEqualTo("CL1#t#00000000000000010000000000000002");
        assertThat(topic.durability()).isEqualTo(Durability.MEMORY);
        assertThat(topic.hasPartition(2)).isTrue();
        assertThat(topic.hasPartition(3)).isFalse();
        assertThat(topic.hasPartition(-1)).isFalse();
    }

    @Test
    void changeOfOneThingLeavesTheOthers() {
        TopicMetadata before = new TopicMetadata(
                new TopicName("t"),
                new TopicId(1, 2),
                "alice",
                3,
                Duration.ofHours(1),
                Map.of("a", "b"),
                Map.of("bob", 1),
                new Quota(1L, 2, 3, 4L, 5L),
                6,
                new TopicOwnerInfo("7", "Alice"),
                SubResource.of("CL1", "CI1"));

        TopicMetadata changed = before.with(4, Duration.ofHours(2), Map.of())
                .withAcl(Map.of())
                .withQuota(Quota.UNLIMITED)
                .withOwnerInfo(TopicOwnerInfo.NONE)
                .withSubResource(null);

        assertThat(changed)
                .isEqualTo(new TopicMetadata(
                        before.name(),
                        before.id(),
                        "alice",
                        4,
                        Duration.ofHours(2),
                        Map.of(),
                        Map.of(),
                        Quota.UNLIMITED,
                        6));
        assertThat(changed.with(before.partitions(), before.retention(), before.attributes())
                        .withSubResource(before.subResource())
                        .withOwnerInfo(before.ownerInfo())
                        .withQuota(before.quota())
                        .withAcl(before.acl()))
                .isEqualTo(before);
    }

    @Test
    void topicThatWasHandedOverHasASecondResourceName() {
        TopicMetadata topic = new TopicMetadata(
                new TopicName("t"),
                new TopicId(1, 2),
                "a#b",
                1,
                Duration.ofHours(1),
                Map.of(),
                Map.of(),
                Quota.UNLIMITED,
                0);
        String second = "CL1#t#00000000000000010000000000000002";

        assertThat(topic.hasResourceName("a#b#t#00000000000000010000000000000002"))
                .isTrue();
        assertThat(topic.hasResourceName(second)).isFalse();
        TopicMetadata handed = topic.withSubResource(SubResource.of("CL1", "CI1"));
        assertThat(handed.hasResourceName(second)).isTrue();
        assertThat(handed.hasResourceName(topic.resourceName())).isTrue();
        assertThat(handed.hasResourceName("CI1#t#00000000000000010000000000000002"))
                .isFalse();
        assertThat(handed.resourceName()).isEqualTo(topic.resourceName());
    }
}
