package io.talosgateway.verifier;

import java.util.List;

/** Does things to the hosts of a cluster. */
public interface VerifiedHosts {

    /**
     * Does it; returns when it is done.
     *
     * @param command such as {@code kill}
     * @param arguments after the host
     * @throws io.talosgateway.loadgen.cli.LoadFailure if that fails, with a sentence for the user
     */
    void run(String command, String host, List<String> arguments) throws InterruptedException;
}
