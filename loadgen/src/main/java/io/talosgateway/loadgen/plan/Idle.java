package io.talosgateway.loadgen.plan;

import java.time.Duration;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.content.Sizes;

/**
 * Connections that are open and seldom used, beside the load that is measured: each puts a small message now and then.
 *
 * @param connections of each process
 * @param interval between two puts of a connection
 */
public record Idle(int connections, Duration interval) {

    static final int MESSAGE_BYTES = 256;

    /** @throws LoadFailure with a sentence for the user if there is no such thing */
    public Idle {
        LoadFailure.check(
                connections >= 0 && connections <= LoadPlan.MAX_THREADS,
                "--idle-connections must be 0 to " + LoadPlan.MAX_THREADS);
        LoadFailure.check(interval.toMillis() >= 1, "--idle-interval must be at least 1ms");
    }

    /** Puts a second of each connection, which begin one after another. */
    public Traffic traffic() {
        return new Traffic(connections, null, 1000.0 / interval.toMillis());
    }

    /** What they put. */
    public static Content content(Content ofLoad) {
        return new Content(
                Format.RAW,
                Sizes.fixed(MESSAGE_BYTES),
                1,
                MessageCompression.NONE,
                0,
                ofLoad.timeout(),
                ofLoad.getWait(),
                ofLoad.seed(),
                false);
    }
}
