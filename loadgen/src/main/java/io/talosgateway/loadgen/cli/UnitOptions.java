package io.talosgateway.loadgen.cli;

import java.time.Duration;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Units} as the values of options. */
public final class UnitOptions {

    private UnitOptions() {}

    /** {@code 10KiB}. */
    public static final class SizeConverter implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            try {
                return Units.bytes(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** {@code 10s}. */
    public static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Units.duration(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
