package io.talosgateway.rest.quota;

import java.util.concurrent.atomic.AtomicLong;

import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.topic.Quota;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.UsedQuota;

/**
 * What is asked of a topic, compared with its own quota and with that of its owner, and counted for the other hosts. Safe for use by
 * any thread; does not block.
 */
final class TopicUse {

    private final QuotaUse own;
    private final QuotaUse owners;
    private final QuotaMetrics.ForTopic counted;
    private final AtomicLong putRequests = new AtomicLong();
    private final AtomicLong putBytes = new AtomicLong();
    private final AtomicLong getRequests = new AtomicLong();
    private final AtomicLong getBytes = new AtomicLong();

    /** @param owners that of the owner, which its other topics have, too */
    TopicUse(QuotaUse own, QuotaUse owners, QuotaMetrics.ForTopic counted) {
        this.counted = counted;
        this.own = own;
        this.owners = owners;
    }

    QuotaUse own() {
        return own;
    }

    QuotaUse owners() {
        return owners;
    }

    QuotaMetrics.ForTopic counted() {
        return counted;
    }

    boolean isOf(Quota ownQuota, Quota ownersQuota) {
        return own.quota().equals(ownQuota) && owners.quota().equals(ownersQuota);
    }

    /** @throws GatewayException {@code THROTTLED}, {@code QUOTA_EXCEEDED}; nothing was taken then */
    void put(long bytes) {
        try {
            requirePut(bytes);
        } catch (GatewayException e) {
            counted.putRefused(e.code());
            throw e;
        }
        own.takePuts(1, bytes);
        owners.takePuts(1, bytes);
        putRequests.incrementAndGet();
        putBytes.addAndGet(bytes);
        counted.put(bytes);
    }

    private void requirePut(long bytes) {
        own.requirePut();
        owners.requirePut();
        own.takeSpace(bytes);
        try {
            owners.takeSpace(bytes);
        } catch (GatewayException e) {
            own.giveSpaceBack(bytes);
            throw e;
        }
    }

    /** @throws GatewayException {@code THROTTLED}; nothing was taken then */
    void get() {
        try {
            own.requireGet();
            owners.requireGet();
        } catch (GatewayException e) {
            counted.getRefused(e.code());
            throw e;
        }
        own.takeGets(1, 0);
        owners.takeGets(1, 0);
        getRequests.incrementAndGet();
        counted.get();
    }

    /** A get has given so many bytes, which was not known before. */
    void got(long bytes) {
        own.takeGets(0, bytes);
        owners.takeGets(0, bytes);
        getBytes.addAndGet(bytes);
        counted.got(bytes);
    }

    /** What was used here since this was last asked. */
    UsedQuota untold(TopicId topic) {
        return new UsedQuota(
                topic,
                putRequests.getAndSet(0),
                putBytes.getAndSet(0),
                getRequests.getAndSet(0),
                getBytes.getAndSet(0));
    }

    /** What another host has let its clients do. */
    void usedElsewhere(UsedQuota used) {
        own.takePuts(used.putRequests(), used.putBytes());
        own.takeGets(used.getRequests(), used.getBytes());
        owners.takePuts(used.putRequests(), used.putBytes());
        owners.takeGets(used.getRequests(), used.getBytes());
    }
}
