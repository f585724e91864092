package io.talosgateway.benchmarks.scaling;

import java.util.List;
import java.util.stream.IntStream;

/** The hosts have numbers from 0; their names are in the same order. Stateless. */
final class HostNames {

    private HostNames() {}

    static String of(int number) {
        return "gateway-%05d".formatted(number);
    }

    static List<String> first(int count) {
        return IntStream.range(0, count).mapToObj(HostNames::of).toList();
    }

    static int number(String name) {
        return Integer.parseInt(name, "gateway-".length(), name.length(), 10);
    }
}
