package io.talosgateway.loadgen.cli;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** Where {@code deploy/quickstart.sh} puts things. Stateless. */
public final class Quickstart {

    private static final String HOME_PROPERTY = "talos.loadgen.home";
    private static final String KEY_FILE = "data/keys.json";
    private static final int DEFAULT_PORT = 80;

    private Quickstart() {}

    /** The key file of the gateway that was started here, or where this distribution was built; null if there is none. */
    public static @Nullable Path keyFile() {
        List<Path> places = new ArrayList<>(List.of(Path.of("")));
        Path home = home();
        if (home != null) {
            places.add(home);
            places.add(home.resolve("../../.."));
        }
        return places.stream()
                .map(place -> place.resolve(KEY_FILE).normalize())
                .filter(Files::isReadable)
                .findFirst()
                .orElse(null);
    }

    /** The distribution that this program is of; null if it is of none. */
    public static @Nullable Path home() {
        String home = System.getProperty(HOME_PROPERTY);
        return home == null ? null : Path.of(home);
    }

    /** Its health and metrics are at the next port. */
    public static URI ops(URI endpoint) {
        int port = endpoint.getPort() < 0 ? DEFAULT_PORT : endpoint.getPort();
        return URI.create("http://%s:%d".formatted(endpoint.getHost(), port + 1));
    }
}
