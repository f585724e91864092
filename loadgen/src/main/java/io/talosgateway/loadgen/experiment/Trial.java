package io.talosgateway.loadgen.experiment;

import org.jspecify.annotations.Nullable;

/**
 * One of the things that are measured, once in each round: a server under a load, or a program that puts a load on something
 * in its own process.
 *
 * @param load what it is put under, such as {@code 2 clients}; variants are compared under the same load
 * @param variant what is compared, such as {@code 2.1.6}
 * @param server null if there is none
 * @param client what puts the load: a command line of {@code talos-loadgen}, or of a program of the kit
 * @param line in a plot over {@code x}, the line that this is a point of
 * @param x null without such a plot
 * @param promise what an answer to a put promises, where that differs; a column of the first table, empty for none
 */
record Trial(
        String load,
        String variant,
        @Nullable Server server,
        TrialClient client,
        String line,
        @Nullable Double x,
        String promise) {

    /** Whether it keeps what it is sent, so that it needs a storage. */
    boolean stores() {
        return server != null && server.stores();
    }

    /** Whether it needs programs of the kit. */
    boolean isOfKit() {
        return client.isOfKit() || (server != null && server.isOfKit());
    }

    /** For people. */
    String text() {
        return load.isEmpty() ? variant : variant + ", " + load;
    }

    /** As a part of a file's name. */
    String fileName() {
        return text().replaceAll("[^A-Za-z0-9.]+", "-");
    }
}
