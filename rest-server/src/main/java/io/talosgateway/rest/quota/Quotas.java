package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What is used of the quotas of topics and of their owners: by clients of this host, and by those of others, as far as they have told.
 * Safe for use by any thread; does not block.
 */
public final class Quotas {

    /** Longer than any debt lasts. */
    private static final Duration REMEMBERED = Duration.ofHours(2);

    private static final Duration ASK_TOPIC_EVERY = Duration.ofSeconds(1);
    /** An owner may have thousands of partitions. */
    private static final Duration ASK_OWNER_EVERY = Duration.ofSeconds(5);

    private final Function<TopicId, @Nullable TopicMetadata> topics;
    private final Function<String, Quota> limits;
    private final Function<String, Stream<TopicMetadata>> ownedBy;
    private final NanoClock clock;
    private final QuotaMetrics metrics;
    /** Of the topics with a quota, or whose owner has one, that were asked for something of late. */
    private final Map<TopicId, TopicUse> uses;
    /** Of their owners: as long as one of the topics is there, for they share it. */
    private final Map<String, QuotaUse> ownerUses;

    private final QuotaUse unlimited;

    /**
     * @param topics finds a topic, from memory; null if there is none
     * @param limits finds those of an owner, from memory
     * @param ownedBy finds the topics of an owner, from memory
     */
    public Quotas(
            Function<TopicId, @Nullable TopicMetadata> topics,
            Function<String, Quota> limits,
            Function<String, Stream<TopicMetadata>> ownedBy,
            NanoClock clock,
            QuotaMetrics metrics) {
        this.metrics = metrics;
        this.topics = topics;
        this.limits = limits;
        this.ownedBy = ownedBy;
        this.clock = clock;
        this.uses = Caffeine.newBuilder()
                .expireAfterAccess(REMEMBERED)
                .ticker(clock::nanoTime)
                .executor(Runnable::run)
                .<TopicId, TopicUse>removalListener((id, use, cause) -> removed(use))
                .<TopicId, TopicUse>build()
                .asMap();
        this.ownerUses = Caffeine.newBuilder()
                .weakValues()
                .executor(Runnable::run)
                .<String, QuotaUse>removalListener((owner, use, cause) -> removedOwner(owner))
                .<String, QuotaUse>build()
                .asMap();
        this.unlimited = new QuotaUse("", Quota.UNLIMITED, List::of, ASK_OWNER_EVERY, clock);
    }

    private static void removed(@Nullable TopicUse use) {
        if (use != null) {
            use.counted().forget();
        }
    }

    private void removedOwner(@Nullable String owner) {
        // It may have another one already.
        if (owner != null && !ownerUses.containsKey(owner)) {
            metrics.forgetOwner(owner);
        }
    }

    /** What is used of the quotas that hold for a topic; null if there are none. With a new quota, everything begins anew. */
    @Nullable
    TopicUse use(TopicId id) {
        TopicMetadata topic = topics.apply(id);
        if (topic == null) {
            return null;
        }
        Quota ofOwner = limits.apply(topic.ownerId());
        if (topic.quota().isUnlimited() && ofOwner.isUnlimited()) {
            return null;
        }
        TopicUse known = uses.get(id);
        return known != null && known.isOf(topic.quota(), ofOwner)
                ? known
                : uses.compute(id, (key, current) -> use(topic, ofOwner, current));
    }

    private TopicUse use(TopicMetadata topic, Quota ofOwner, @Nullable TopicUse current) {
        if (current != null && current.isOf(topic.quota(), ofOwner)) {
            return current;
        }
        QuotaUse own = current != null && current.own().quota().equals(topic.quota())
                ? current.own()
                : new QuotaUse(
                        "The topic's quota", topic.quota(), () -> partitions(topic.id()), ASK_TOPIC_EVERY, clock);
        QuotaMetrics.ForTopic counted = metrics.topic(topic);
        counted.show(own);
        return new TopicUse(own, ofOwner.isUnlimited() ? unlimited : ownerUse(topic.ownerId(), ofOwner), counted);
    }

    private QuotaUse ownerUse(String ownerId, Quota quota) {
        metrics.showOwner(ownerId, quota);
        return ownerUses.compute(
                ownerId,
                (id, current) -> current != null && current.quota().equals(quota)
                        ? current
                        : new QuotaUse(
                                "The quota that the owner '" + id + "' has for all of its topics",
                                quota,
                                () -> partitionsOfOwner(id),
                                ASK_OWNER_EVERY,
                                clock));
    }

    private List<TopicPartition> partitions(TopicId id) {
        TopicMetadata topic = topics.apply(id);
        return topic == null ? List.of() : topic.allPartitions().toList();
    }

    private List<TopicPartition> partitionsOfOwner(String ownerId) {
        return ownedBy.apply(ownerId).flatMap(TopicMetadata::allPartitions).toList();
    }

    /** What clients of this host have used since this was last asked. */
    List<UsedQuota> untold() {
        return uses.entrySet().stream()
                .map(entry -> entry.getValue().untold(entry.getKey()))
                .filter(used -> !used.isNothing())
                .toList();
    }

    /** Clients of another host have used this since it last told. */
    public void usedElsewhere(List<UsedQuota> all) {
        for (UsedQuota used : all) {
            TopicUse use = use(used.topic());
            if (use != null) {
                use.usedElsewhere(used);
            }
        }
    }
}
