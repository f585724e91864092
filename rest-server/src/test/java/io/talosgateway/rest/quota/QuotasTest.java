package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class QuotasTest {

    private static final TopicId A = new TopicId(0, 1);
    private static final TopicId B = new TopicId(0, 2);

    private final SteppedTime time = new SteppedTime();
    private final Map<TopicId, TopicMetadata> topics = new HashMap<>();
    private final Map<String, Quota> owners = new HashMap<>();
    private final Quotas quotas = new Quotas(
            topics::get,
            owner -> owners.getOrDefault(owner, Quota.UNLIMITED),
            owner -> topics.values().stream().filter(topic -> topic.ownerId().equals(owner)),
            time,
            new QuotaMetrics(new CollectorRegistry()));

    private void topic(TopicId id, String owner, Quota quota) {
        topics.put(
                id,
                new TopicMetadata(
                        new TopicName("t" + id.leastSignificant()),
                        id,
                        owner,
                        3,
                        Duration.ofDays(1),
                        Map.of(),
                        Map.of(),
                        quota,
                        0));
    }

    private static Quota putRequests(int perSecond) {
        return new Quota(null, perSecond, null, null, null);
    }

    private static Quota space(long bytes) {
        return new Quota(bytes, null, null, null, null);
    }

    private int puts(TopicId topic) {
        int puts = 0;
        try {
            while (true) {
                quotas.use(topic).put(1);
                puts++;
            }
        } catch (GatewayException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.THROTTLED);
            return puts;
        }
    }

    @Test
    void topicsOfAnOwnerShareItsRate() {
        topic(A, "alice", Quota.UNLIMITED);
        topic(B, "alice", Quota.UNLIMITED);
        owners.put("alice", putRequests(10));
        quotas.use(B).put(1);
        quotas.use(B).put(1);
        quotas.use(B).put(1);

        assertThat(puts(A)).isEqualTo(7);
        assertThat(puts(B)).isZero();
    }

    @Test
    void topicOfAnotherOwnerIsNotConcerned() {
        topic(A, "alice", Quota.UNLIMITED);
        topic(B, "bob", Quota.UNLIMITED);
        owners.put("alice", putRequests(10));

        assertThat(puts(A)).isEqualTo(10);
        assertThat(quotas.use(B)).isNull();
    }

    @Test
    void bothQuotasHoldAndNothingIsTakenFromOneThatTheOtherRefuses() {
        topic(A, "alice", putRequests(2));
        topic(B, "alice", Quota.UNLIMITED);
        owners.put("alice", putRequests(10));

        assertThat(puts(A)).isEqualTo(2);
        assertThat(puts(B)).isEqualTo(8);
    }

    @Test
    void spaceOfTheTopicIsGivenBackWhenThatOfTheOwnerIsUsedUp() {
        topic(A, "alice", space(1_000));
        owners.put("alice", space(500));
        TopicUse use = quotas.use(A);
        use.own().space().beginAsking();
        use.own().space().told(0, 0);
        use.owners().space().beginAsking();
        use.owners().space().told(0, 0);

        assertThatThrownBy(() -> use.put(501)).hasMessageContaining("'alice'");
        owners.put("alice", space(5_000));
        TopicUse larger = quotas.use(A);
        larger.put(1_000);

        assertThat(use.own()).isSameAs(larger.own());
    }

    @Test
    void spaceOfAnOwnerIsThatOfAllItsPartitions() {
        topic(A, "alice", Quota.UNLIMITED);
        topic(B, "alice", Quota.UNLIMITED);
        owners.put("alice", space(1));

        assertThat(quotas.use(A).own().partitions()).hasSize(3);
        assertThat(quotas.use(A).owners().partitions()).hasSize(6);
    }

    @Test
    void whatAnotherHostHasLetInIsTakenFromBothAndNotToldOn() {
        topic(A, "alice", putRequests(5));
        topic(B, "alice", Quota.UNLIMITED);
        owners.put("alice", putRequests(10));
        quotas.use(A).put(7);

        assertThat(quotas.untold()).containsExactly(new UsedQuota(A, 1, 7, 0, 0));
        quotas.usedElsewhere(List.of(new UsedQuota(A, 3, 30, 0, 0)));

        assertThat(quotas.untold()).isEmpty();
        assertThat(puts(A)).isEqualTo(1);
        assertThat(puts(B)).isEqualTo(5);
    }

    @Test
    void newQuotaBeginsAnewAndTheOtherGoesOn() {
        topic(A, "alice", putRequests(5));
        owners.put("alice", putRequests(10));
        assertThat(puts(A)).isEqualTo(5);

        topic(A, "alice", putRequests(100));

        assertThat(puts(A)).isEqualTo(5);
    }
}
