package io.talosgateway.rest.quota;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Caffeine;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.UsedQuota;
import io.talosgateway.scheduler.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * What is used of the quotas of topics: by clients of this host, and by those of others, as far as they have told. Safe for use by any
 * thread; does not block.
 */
public final class Quotas {

    /** Longer than any debt lasts. */
    private static final Duration REMEMBERED = Duration.ofHours(2);

    private final Function<TopicId, @Nullable TopicMetadata> topics;
    private final NanoClock clock;
    /** Of the topics with a quota that were asked for something of late. */
    private final Map<TopicId, TopicUse> uses;

    /** @param topics finds a topic, from memory; null if there is none */
    public Quotas(Function<TopicId, @Nullable TopicMetadata> topics, NanoClock clock) {
        this.topics = topics;
        this.clock = clock;
        this.uses = Caffeine.newBuilder()
                .expireAfterAccess(REMEMBERED)
                .ticker(clock::nanoTime)
                .executor(Runnable::run)
                .<TopicId, TopicUse>build()
                .asMap();
    }

    /** The topic, if it has a quota; else null. */
    @Nullable
    TopicMetadata limited(TopicId id) {
        TopicMetadata topic = topics.apply(id);
        return topic == null || topic.quota().isUnlimited() ? null : topic;
    }

    /** What is used of a topic's quota. With a new quota, everything begins anew. */
    TopicUse use(TopicMetadata topic) {
        TopicUse known = uses.get(topic.id());
        if (known != null && known.quota().equals(topic.quota())) {
            return known;
        }
        return uses.compute(
                topic.id(),
                (id, current) -> current != null && current.quota().equals(topic.quota())
                        ? current
                        : new TopicUse(topic.quota(), clock));
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
            TopicMetadata topic = limited(used.topic());
            if (topic != null) {
                use(topic).usedElsewhere(used);
            }
        }
    }
}
