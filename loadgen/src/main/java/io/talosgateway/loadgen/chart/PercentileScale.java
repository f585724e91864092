package io.talosgateway.loadgen.chart;

import java.util.ArrayList;
import java.util.List;

/** Percentiles, each further nine with the same room: 90 %, 99 %, 99.9 %. */
public final class PercentileScale implements AxisScale {

    private static final double[] TICKS = {0, 50, 90, 99, 99.9, 99.99, 99.999, 99.9999};

    private final double nines;

    /** @param count how many values there are: the greatest of them is where the axis ends */
    public PercentileScale(long count) {
        this.nines = Math.max(1, Math.log10((double) Math.max(1, count)));
    }

    /** @param value in percent */
    @Override
    public double position(double value) {
        return value >= 100 ? 1 : Math.min(1, -Math.log10(1 - Math.max(0, value) / 100) / nines);
    }

    @Override
    public List<Tick> ticks() {
        List<Tick> ticks = new ArrayList<>();
        for (double value : TICKS) {
            if (position(value) < 1 - 1e-9) {
                ticks.add(new Tick(value, Numbers.tick(value) + " %"));
            }
        }
        return ticks;
    }
}
