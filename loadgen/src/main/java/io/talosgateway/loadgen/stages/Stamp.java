package io.talosgateway.loadgen.stages;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a request passed a stage.
 *
 * @param stage as the gateway names it
 * @param atNanos on the gateway's monotonic clock
 */
record Stamp(String stage, long atNanos) {

    private static final Pattern FORM = Pattern.compile("([a-z]{1,20})=(-?\\d{1,19})");
    private static final int MAX_STAMPS = 32;

    /**
     * The stamps of a header {@code Talos-Stages}, in its order.
     *
     * @throws IOException if it is none
     */
    static List<Stamp> parse(String header) throws IOException {
        List<Stamp> stamps = new ArrayList<>();
        for (String part : header.split(",", MAX_STAMPS + 1)) {
            Matcher matcher = FORM.matcher(part.trim());
            if (!matcher.matches() || stamps.size() == MAX_STAMPS) {
                throw new IOException("The header Talos-Stages is none of a gateway: '%s'".formatted(header));
            }
            try {
                stamps.add(new Stamp(matcher.group(1), Long.parseLong(matcher.group(2))));
            } catch (NumberFormatException e) {
                throw new IOException("The header Talos-Stages has a time that is none: '%s'".formatted(part), e);
            }
        }
        return stamps;
    }
}
