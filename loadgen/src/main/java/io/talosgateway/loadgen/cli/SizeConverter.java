package io.talosgateway.loadgen.cli;

import picocli.CommandLine.ITypeConverter;

/** A number of bytes as the value of an option: {@code 10KiB}. */
public final class SizeConverter implements ITypeConverter<Integer> {

    @Override
    public Integer convert(String text) throws Exception {
        return CommandLines.reading(Units::bytes).convert(text);
    }
}
