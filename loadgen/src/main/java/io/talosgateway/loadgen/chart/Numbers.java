package io.talosgateway.loadgen.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Numbers as people read them. Stateless. */
public final class Numbers {

    private static final MathContext ENOUGH = new MathContext(9);

    private Numbers() {}

    /** With as many digits as it has: {@code 0.05}, {@code 99.9}, {@code 20,000}. */
    public static String tick(double value) {
        BigDecimal exact = new BigDecimal(value, ENOUGH).stripTrailingZeros();
        return String.format(Locale.ROOT, "%,." + Math.max(0, exact.scale()) + "f", exact);
    }

    public static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** With about three digits: {@code 0.042}, {@code 3.14}, {@code 27.2}, {@code 12,345}. */
    public static String three(double value) {
        double size = Math.abs(value);
        int decimals = size == 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }
}
