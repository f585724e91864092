package io.talosgateway.rest.metrics;

import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;

/** Metrics whose values are asked for when they are read. */
public final class Gauges {

    private Gauges() {}

    public static void gauge(CollectorRegistry registry, String name, String help, DoubleSupplier value) {
        Gauge.build(name, help).create().setChild(child(value)).register(registry);
    }

    /** One series of a gauge with labels. */
    public static Gauge.Child child(DoubleSupplier value) {
        return new Gauge.Child() {
            @Override
            public double get() {
                return value.getAsDouble();
            }
        };
    }

    /** @param value never falls */
    public static void counter(CollectorRegistry registry, String name, String help, LongSupplier value) {
        Counter.build(name, help)
                .create()
                .setChild(new Counter.Child() {
                    @Override
                    public double get() {
                        return value.getAsLong();
                    }
                })
                .register(registry);
    }
}
