package io.talosgateway.rest.admission;

import io.talosgateway.rest.config.DataSize;

/**
 * How much may be under way at once.
 *
 * @param maxBytesInFlight bytes of request bodies and answers in memory
 * @param maxRequestsInFlight requests without an answer, those that wait for messages included
 */
public record AdmissionConfig(DataSize maxBytesInFlight, int maxRequestsInFlight) {

    public AdmissionConfig {
        if (maxBytesInFlight.toBytes() < 1 || maxRequestsInFlight < 1) {
            throw new IllegalArgumentException(
                    "admission.max-bytes-in-flight and admission.max-requests-in-flight must be " + "positive: "
                            + maxBytesInFlight + ", " + maxRequestsInFlight);
        }
    }
}
