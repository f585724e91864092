package io.talosgateway.rest.admission;

import io.talosgateway.rest.config.DataSize;

/**
 * How much may be under way at once.
 *
 * @param maxBytesInFlight bytes of request bodies and answers in memory
 * @param maxRequestsInFlight requests without an answer, those that wait for messages included
 * @param maxWaitingGets gets that may wait for messages
 * @param maxPercentPerKey most of each of these that the requests of one key may have, in percent
 * @param maxPercentPerAddress the same for the requests of one address
 */
public record AdmissionConfig(
        DataSize maxBytesInFlight,
        int maxRequestsInFlight,
        int maxWaitingGets,
        int maxPercentPerKey,
        int maxPercentPerAddress) {

    public AdmissionConfig {
        if (maxBytesInFlight.toBytes() < 1 || maxRequestsInFlight < 1) {
            throw new IllegalArgumentException(
                    "admission.max-bytes-in-flight and admission.max-requests-in-flight must be " + "positive: "
                            + maxBytesInFlight + ", " + maxRequestsInFlight);
        }
        checkPercent("admission.max-percent-per-key", maxPercentPerKey);
        checkPercent("admission.max-percent-per-address", maxPercentPerAddress);
    }

    private static void checkPercent(String key, int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException(key + " must be 1 to 100: " + percent);
        }
    }

    /** A part of a limit; one at least. */
    static long part(long limit, int percent) {
        return Math.max(1, limit * percent / 100);
    }
}
