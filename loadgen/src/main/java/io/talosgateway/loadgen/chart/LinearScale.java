package io.talosgateway.loadgen.chart;

import java.util.ArrayList;
import java.util.List;

/** From zero, in equal steps of 1, 2 or 5 times a power of ten. */
public final class LinearScale implements AxisScale {

    private static final int MOST_STEPS = 6;

    private final double step;
    private final double end;
    private final double lastTick;

    private LinearScale(double step, double end) {
        this.step = step;
        this.end = end;
        this.lastTick = Math.floor(end / step + 1e-9) * step;
    }

    /** Ends with the first step that is not below the greatest value. */
    public static LinearScale upTo(double greatest) {
        double step = step(greatest);
        return new LinearScale(step, Math.max(1, Math.ceil(greatest / step - 1e-9)) * step);
    }

    /** Ends exactly there. */
    public static LinearScale exactlyTo(double end) {
        return end <= 0 ? upTo(0) : new LinearScale(step(end), end);
    }

    private static double step(double greatest) {
        if (greatest <= 0 || !Double.isFinite(greatest)) {
            return 1;
        }
        double least = greatest / MOST_STEPS;
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= least * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    @Override
    public double position(double value) {
        return Math.min(1, Math.max(0, value / end));
    }

    @Override
    public List<Tick> ticks() {
        List<Tick> ticks = new ArrayList<>();
        for (int number = 0; number * step <= lastTick * (1 + 1e-9); number++) {
            ticks.add(new Tick(number * step, Numbers.tick(number * step)));
        }
        return ticks;
    }
}
