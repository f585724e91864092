package io.talosgateway.rest.http.ops;

/** Whether requests should be sent here. */
@FunctionalInterface
public interface Readiness {

    /**
     * @param ready whether requests are served
     * @param status one word or a few: what the gateway is doing
     */
    record Status(boolean ready, String status) {}

    Status status();
}
