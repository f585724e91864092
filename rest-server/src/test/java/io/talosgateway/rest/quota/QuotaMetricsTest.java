package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicName;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class QuotaMetricsTest {

    private static final String[] USED = {"topic", "owner", "limit"};
    private static final Quota ONE_PUT = new Quota(null, 1, null, null, null);

    private final SteppedTime time = new SteppedTime();
    private final CollectorRegistry registry = new CollectorRegistry();
    private final Map<TopicId, TopicMetadata> topics = new HashMap<>();
    private final Map<String, Quota> owners = new HashMap<>();
    private final Quotas quotas = new Quotas(
            topics::get,
            owner -> owners.getOrDefault(owner, Quota.UNLIMITED),
            owner -> Stream.of(),
            time,
            new QuotaMetrics(registry));

    private TopicUse use(int number, Quota quota) {
        return use(number, "t" + number, quota);
    }

    private TopicUse use(int number, String name, Quota quota) {
        TopicId id = new TopicId(0, number);
        topics.put(
                id,
                new TopicMetadata(
                        new TopicName(name), id, "shop", 1, Duration.ofDays(1), Map.of(), Map.of(), quota, 0));
        TopicUse use = quotas.use(id);
        assertThat(use).isNotNull();
        return use;
    }

    private Double value(String name, String... labels) {
        return registry.getSampleValue(name, USED, labels);
    }

    @Test
    void useAndRefusalsAreCountedBesideTheLimit() {
        TopicUse use = use(1, ONE_PUT);
        use.put(100);
        assertThatThrownBy(() -> use.put(50)).isInstanceOf(GatewayException.class);
        use.get();
        use.got(70);

        assertThat(value("talos_quota_used_total", "t1", "shop", "put_requests"))
                .isEqualTo(1);
        assertThat(value("talos_quota_used_total", "t1", "shop", "put_bytes")).isEqualTo(100);
        assertThat(value("talos_quota_used_total", "t1", "shop", "get_requests"))
                .isEqualTo(1);
        assertThat(value("talos_quota_used_total", "t1", "shop", "get_bytes")).isEqualTo(70);
        assertThat(value("talos_quota_limit", "t1", "shop", "put_requests")).isEqualTo(1);
        assertThat(value("talos_quota_limit", "t1", "shop", "put_bytes")).isNull();
        assertThat(registry.getSampleValue(
                        "talos_quota_refused_total",
                        new String[] {"topic", "owner", "class", "reason"},
                        new String[] {"t1", "shop", "put", "throttled"}))
                .isEqualTo(1);
    }

    @Test
    void anotherQuotaIsShownInsteadOfTheOneBefore() {
        use(1, ONE_PUT).put(1);
        use(1, new Quota(5_000L, null, null, 10L, null)).put(1);

        assertThat(value("talos_quota_limit", "t1", "shop", "put_requests")).isNull();
        assertThat(value("talos_quota_limit", "t1", "shop", "put_bytes")).isEqualTo(10);
        assertThat(value("talos_quota_limit", "t1", "shop", "space_bytes")).isEqualTo(5_000);
        assertThat(value("talos_quota_used_total", "t1", "shop", "put_requests"))
                .isEqualTo(2);
    }

    @Test
    void quotaOfAnOwnerIsShown() {
        owners.put("shop", new Quota(null, null, 9, null, null));
        use(1, Quota.UNLIMITED);

        assertThat(registry.getSampleValue(
                        "talos_quota_owner_limit", new String[] {"owner", "limit"}, new String[] {"shop", "get_requests"
                        }))
                .isEqualTo(9);
    }

    private List<String> topicsShown() {
        return Collections.list(registry.metricFamilySamples()).stream()
                .flatMap(family -> family.samples.stream())
                .filter(sample -> sample.labelNames.contains("topic"))
                .map(sample -> sample.labelValues.get(0))
                .distinct()
                .toList();
    }

    @Test
    void topicsBeyondTheFirstHundredShareTheirSeries() {
        IntStream.range(0, 150).forEach(number -> use(number, ONE_PUT).put(2));

        assertThat(topicsShown()).hasSize(101).contains("t0", "t99", "other").doesNotContain("t100");
        assertThat(value("talos_quota_used_total", "other", "other", "put_bytes"))
                .isEqualTo(100);
    }

    @Test
    void topicsThatAreUsedNoMoreMakeRoom() {
        IntStream.range(0, 100).forEach(number -> use(number, ONE_PUT).put(2));
        time.advance(Duration.ofHours(3));
        use(200, ONE_PUT).put(2);
        use(201, ONE_PUT).put(2);

        assertThat(topicsShown()).contains("t201", "other").doesNotContain("t0", "t99");
    }

    @Test
    void topicThatWasMadeAgainKeepsItsSeriesWhenTheOldOneIsForgotten() {
        use(1, "t1", ONE_PUT).put(2);
        time.advance(Duration.ofMinutes(90));
        use(7, "t1", ONE_PUT).put(3);
        time.advance(Duration.ofMinutes(60));
        use(7, "t1", ONE_PUT).put(4);

        assertThat(value("talos_quota_used_total", "t1", "shop", "put_bytes")).isEqualTo(2 + 3 + 4);
        assertThat(value("talos_quota_limit", "t1", "shop", "put_requests")).isEqualTo(1);
    }
}
