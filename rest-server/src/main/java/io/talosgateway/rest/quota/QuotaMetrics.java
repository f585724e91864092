package io.talosgateway.rest.quota;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.metrics.BoundedLabel;
import io.talosgateway.rest.metrics.Gauges;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicMetadata;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of topics for which a quota holds. At most so many of them have series of their own; the others share those of
 * {@link BoundedLabel#OTHER}. Safe for use by any thread.
 */
public final class QuotaMetrics {

    private static final int MOST_TOPICS = 100;
    private static final int MOST_OWNERS = 100;
    private static final String PUT = "put";
    private static final String GET = "get";
    private static final String PUT_REQUESTS = "put_requests";
    private static final String PUT_BYTES = "put_bytes";
    private static final String GET_REQUESTS = "get_requests";
    private static final String GET_BYTES = "get_bytes";
    private static final String SPACE_BYTES = "space_bytes";
    private static final List<String> LIMITS = List.of(PUT_REQUESTS, PUT_BYTES, GET_REQUESTS, GET_BYTES, SPACE_BYTES);

    private final BoundedLabel topics = new BoundedLabel(MOST_TOPICS);
    private final BoundedLabel owners = new BoundedLabel(MOST_OWNERS);
    /** Those that have series of their own, by topic. Guarded by this. */
    private final Map<String, ForTopic> shown = new HashMap<>();

    private final Counter used;
    private final Counter refused;
    private final Gauge limit;
    private final Gauge ownerLimit;
    private final Gauge space;

    public QuotaMetrics(CollectorRegistry registry) {
        used = Counter.build(
                        "talos_quota_used_total",
                        "What clients of this host have used of the quotas of a topic and of its owner.")
                .labelNames("topic", "owner", "limit")
                .register(registry);
        refused = Counter.build("talos_quota_refused_total", "Requests that were refused because a quota was used up.")
                .labelNames("topic", "owner", "class", "reason")
                .register(registry);
        limit = Gauge.build(
                        "talos_quota_limit", "The quota of a topic for all hosts together, per second but for space.")
                .labelNames("topic", "owner", "limit")
                .register(registry);
        ownerLimit = Gauge.build("talos_quota_owner_limit", "The same of all topics of an owner together.")
                .labelNames("owner", "limit")
                .register(registry);
        space = Gauge.build("talos_quota_space_bytes", "Bytes that a topic with a quota of space takes up.")
                .labelNames("topic", "owner")
                .register(registry);
        refused.labels(BoundedLabel.OTHER, BoundedLabel.OTHER, PUT, ErrorCode.THROTTLED.text());
    }

    /** A topic whose use is counted from now on. */
    synchronized ForTopic topic(TopicMetadata topic) {
        String label = topics.of(topic.name().value());
        if (label.equals(BoundedLabel.OTHER)) {
            return new ForTopic(label, label);
        }
        ForTopic counted = new ForTopic(label, topic.ownerId());
        shown.put(label, counted);
        return counted;
    }

    private synchronized void forget(ForTopic gone) {
        // The topic may be used again, with another quota or owner.
        if (shown.remove(gone.topic, gone)) {
            gone.removeSeries();
            topics.forget(gone.topic);
        }
    }

    /** Shows the quota of an owner, instead of the one before. */
    void showOwner(String ownerId, Quota quota) {
        String owner = owners.of(ownerId);
        if (!owner.equals(BoundedLabel.OTHER)) {
            hideOwner(owner);
            limits(quota)
                    .forEach((name, value) -> ownerLimit.labels(owner, name).set(value));
        }
    }

    /** Shows the quota of an owner no more. */
    void forgetOwner(String ownerId) {
        hideOwner(ownerId);
        owners.forget(ownerId);
    }

    private void hideOwner(String owner) {
        for (String name : LIMITS) {
            ownerLimit.remove(owner, name);
        }
    }

    private static Map<String, Double> limits(Quota quota) {
        Map<String, Double> limits = new HashMap<>();
        put(limits, PUT_REQUESTS, quota.putRequestsPerSecond());
        put(limits, PUT_BYTES, quota.putBytesPerSecond());
        put(limits, GET_REQUESTS, quota.getRequestsPerSecond());
        put(limits, GET_BYTES, quota.getBytesPerSecond());
        put(limits, SPACE_BYTES, quota.spaceBytes());
        return limits;
    }

    private static void put(Map<String, Double> limits, String name, @Nullable Number value) {
        if (value != null) {
            limits.put(name, value.doubleValue());
        }
    }

    /** The part for one topic, or for those that have no series of their own. */
    final class ForTopic {

        private final String topic;
        private final String owner;
        private final Counter.Child putRequests;
        private final Counter.Child putBytes;
        private final Counter.Child getRequests;
        private final Counter.Child getBytes;

        private ForTopic(String topic, String owner) {
            this.topic = topic;
            this.owner = owner;
            putRequests = used.labels(topic, owner, PUT_REQUESTS);
            putBytes = used.labels(topic, owner, PUT_BYTES);
            getRequests = used.labels(topic, owner, GET_REQUESTS);
            getBytes = used.labels(topic, owner, GET_BYTES);
        }

        private boolean isShared() {
            return topic.equals(BoundedLabel.OTHER);
        }

        /** Shows its quota instead of the one before. */
        void show(QuotaUse use) {
            if (isShared()) {
                return;
            }
            hideQuota();
            limits(use.quota())
                    .forEach((name, value) -> limit.labels(topic, owner, name).set(value));
            SpaceUse ofTopic = use.space();
            if (ofTopic != null) {
                space.setChild(Gauges.child(ofTopic::usedBytes), topic, owner);
            }
        }

        private void hideQuota() {
            for (String name : LIMITS) {
                limit.remove(topic, owner, name);
            }
            space.remove(topic, owner);
        }

        void put(long bytes) {
            putRequests.inc();
            putBytes.inc((double) bytes);
        }

        void get() {
            getRequests.inc();
        }

        void got(long bytes) {
            getBytes.inc((double) bytes);
        }

        void putRefused(ErrorCode reason) {
            refused.labels(topic, owner, PUT, reason.text()).inc();
        }

        void getRefused(ErrorCode reason) {
            refused.labels(topic, owner, GET, reason.text()).inc();
        }

        /** Shows the topic no more, and makes room for another one, unless it is used again. */
        void forget() {
            QuotaMetrics.this.forget(this);
        }

        private void removeSeries() {
            hideQuota();
            for (String name : LIMITS) {
                used.remove(topic, owner, name);
            }
            for (ErrorCode reason : List.of(ErrorCode.THROTTLED, ErrorCode.QUOTA_EXCEEDED)) {
                refused.remove(topic, owner, PUT, reason.text());
                refused.remove(topic, owner, GET, reason.text());
            }
        }
    }
}
