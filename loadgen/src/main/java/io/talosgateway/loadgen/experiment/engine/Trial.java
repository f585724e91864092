package io.talosgateway.loadgen.experiment.engine;

import java.util.List;

/**
 * One of the things that are measured, once in each round: a server under a load.
 *
 * @param load what it is put under, such as {@code 2 clients}; variants are compared under the same load
 * @param variant what is compared, such as {@code 2.1.6}
 * @param clients started at the same time
 * @param line in a plot over {@code x}, the line that this is a point of
 * @param x NaN without such a plot
 */
public record Trial(String load, String variant, Server server, List<TrialClient> clients, String line, double x) {

    public static Trial of(String load, String variant, Server server, List<TrialClient> clients) {
        return new Trial(load, variant, server, clients, "", Double.NaN);
    }

    /** As a point of a line. */
    public Trial at(String ofLine, double atX) {
        return new Trial(load, variant, server, clients, ofLine, atX);
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
