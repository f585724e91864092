package io.talosgateway.localcluster;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network link of the machine.
 *
 * @param up whether it is switched on
 */
record Link(String name, boolean up) {

    private static final Pattern LINE = Pattern.compile("\\d+:\\s+([^:@\\s]+)(?:@[^:\\s]+)?:\\s+<([^>]*)>.*");

    /** Reads the lines of {@code ip -o link show}, such as {@code 6: name@if7: <BROADCAST,UP> mtu 1500}. */
    static List<Link> parse(List<String> lines) {
        return lines.stream().map(Link::parse).flatMap(Optional::stream).toList();
    }

    private static Optional<Link> parse(String line) {
        Matcher matcher = LINE.matcher(line.strip());
        return matcher.matches()
                ? Optional.of(new Link(
                        matcher.group(1), List.of(matcher.group(2).split(",")).contains("UP")))
                : Optional.empty();
    }
}
