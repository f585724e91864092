package io.talosgateway.loadgen.plan;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.content.Sizes;
import io.talosgateway.loadgen.http.Endpoint;

/** Plans for tests. */
public final class Plans {

    private Plans() {}

    public static Content content(Format format, String sizes, int batch, MessageCompression compression) {
        return new Content(format, Sizes.parse(sizes), batch, compression, null, 7, false);
    }

    public static Content raw(int bytes) {
        return content(Format.RAW, bytes + "B", 1, MessageCompression.NONE);
    }

    /** A closed loop of eight producers and eight readers on four partitions of a topic, with a key. */
    public static LoadPlan of(Content content) {
        return new LoadPlan(
                new Target(
                        new Endpoint(URI.create("http://gateway:8080")),
                        new Credentials("id", "secret"),
                        List.of("life"),
                        4,
                        false,
                        false),
                new Traffic(8, null),
                new Traffic(8, null),
                content,
                Warmup.of(Duration.ZERO),
                Duration.ofSeconds(1),
                null);
    }
}
