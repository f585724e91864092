package io.talosgateway.loadgen.plan;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** {@link Warmup} as the value of an option. */
public final class WarmupConverter implements ITypeConverter<Warmup> {

    /** Of the option. */
    public static final String DESCRIPTION =
            "Load before anything counts: 500ms, 10s, 5m; or auto, until the rate has stopped rising, which takes 12 s to 60 s. "
                    + "Default: ${DEFAULT-VALUE}.";

    @Override
    public Warmup convert(String text) {
        try {
            return Warmup.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage() + ", or auto");
        }
    }
}
