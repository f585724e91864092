package io.talosgateway.loadgen.content;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import io.talosgateway.loadgen.cli.Units;

/**
 * How large messages are: one size, or sizes with weights.
 *
 * @param text as the user wrote it
 */
public record Sizes(String text, List<Part> parts) {

    private static final String SYNTAX = "write it like 10KiB or 100B:70,10KiB:25,1MiB:5";

    record Part(int bytes, double weight) {}

    public static Sizes fixed(int bytes) {
        return new Sizes(bytes + "B", List.of(new Part(bytes, 1)));
    }

    /** @throws IllegalArgumentException with a sentence for the user */
    public static Sizes parse(String text) {
        List<Part> parts = new ArrayList<>();
        String[] pieces = text.split(",", -1);
        for (String piece : pieces) {
            int colon = piece.lastIndexOf(':');
            if (colon < 0 && pieces.length > 1) {
                throw new IllegalArgumentException("'%s' has no weight: %s".formatted(piece, SYNTAX));
            }
            double weight = colon < 0 ? 1 : weight(piece.substring(colon + 1));
            parts.add(part(colon < 0 ? piece : piece.substring(0, colon), weight));
        }
        return new Sizes(text, List.copyOf(parts));
    }

    private static Part part(String text, double weight) {
        int bytes = Units.bytes(text);
        if (bytes < 1) {
            throw new IllegalArgumentException("a message has at least 1B, not '%s'".formatted(text));
        }
        return new Part(bytes, weight);
    }

    private static double weight(String text) {
        try {
            double weight = Double.parseDouble(text.trim());
            if (weight > 0 && Double.isFinite(weight)) {
                return weight;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException("'%s' is not a weight: %s".formatted(text, SYNTAX));
    }

    boolean isFixed() {
        return parts.size() == 1;
    }

    /** Bytes of a message in the mean. */
    public double mean() {
        return parts.stream().mapToDouble(part -> part.weight * part.bytes).sum() / weightOfAll();
    }

    private double weightOfAll() {
        return parts.stream().mapToDouble(Part::weight).sum();
    }

    /**
     * So many sizes that are spread as they should be, in an order of the seed: not drawn one by one, so that a few hundred
     * have the right mean.
     */
    List<Integer> take(int count, long seed) {
        List<Integer> sizes = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            sizes.add(at((number + 0.5) / count));
        }
        Collections.shuffle(sizes, new Random(seed));
        return sizes;
    }

    /** @param quantile 0 to 1 */
    private int at(double quantile) {
        double left = quantile * weightOfAll();
        for (Part part : parts) {
            if (left <= part.weight) {
                return part.bytes;
            }
            left -= part.weight;
        }
        return parts.get(parts.size() - 1).bytes;
    }
}
