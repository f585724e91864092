package io.talosgateway.loadgen.chart;

import java.util.ArrayList;
import java.util.List;

/** Each power of ten takes the same room. */
public final class LogScale implements AxisScale {

    /** On a short scale, there are ticks between the powers, too. */
    private static final double FEW_DECADES = 2.5;

    private final double from;
    private final double until;

    private LogScale(double from, double until) {
        this.from = from;
        this.until = until;
    }

    /**
     * From 1, 2 or 5 times a power of ten to another.
     *
     * @param least must be positive
     */
    public static LogScale around(double least, double greatest) {
        double from = atMost(least);
        double until = atLeast(greatest);
        return new LogScale(from, until > from ? until : 10 * from);
    }

    private static double atMost(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
        double factor = value / power * (1 + 1e-9);
        return power * (factor >= 5 ? 5 : factor >= 2 ? 2 : 1);
    }

    private static double atLeast(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value) + 1e-9));
        double factor = value / power * (1 - 1e-9);
        return power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 5 ? 5 : 10);
    }

    @Override
    public double position(double value) {
        return value <= from ? 0 : Math.min(1, Math.log10(value / from) / Math.log10(until / from));
    }

    @Override
    public List<Tick> ticks() {
        int[] factors = Math.log10(until / from) <= FEW_DECADES ? new int[] {1, 2, 5} : new int[] {1};
        List<Tick> ticks = new ArrayList<>();
        double power = Math.pow(10, Math.floor(Math.log10(from) + 1e-9));
        for (; power <= until * (1 + 1e-9); power *= 10) {
            for (int factor : factors) {
                double value = factor * power;
                if (value >= from * (1 - 1e-9) && value <= until * (1 + 1e-9)) {
                    ticks.add(new Tick(value, Numbers.tick(value)));
                }
            }
        }
        return ticks;
    }
}
