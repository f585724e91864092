package io.talosgateway.rest.topic;

/**
 * What a host has let its clients do with a topic since it last told the others.
 *
 * @param putRequests put requests
 * @param putBytes bytes put
 * @param getRequests get requests
 * @param getBytes bytes got
 */
public record UsedQuota(TopicId topic, long putRequests, long putBytes, long getRequests, long getBytes) {

    public boolean isNothing() {
        return putRequests == 0 && putBytes == 0 && getRequests == 0 && getBytes == 0;
    }
}
