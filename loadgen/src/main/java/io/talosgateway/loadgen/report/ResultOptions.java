package io.talosgateway.loadgen.report;

import java.net.URI;
import java.nio.file.Path;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.http.Tls;
import io.talosgateway.loadgen.measure.OpsScraper;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that say where the results go, and what else is looked at for them. */
public final class ResultOptions {

    @Option(
            names = {"-j", "--json"},
            paramLabel = "FILE",
            description = "Write result.json to this file. Without --out, there is then no folder.")
    private @Nullable Path json;

    @Option(
            names = {"-o", "--out"},
            paramLabel = "DIR",
            description = "The folder for the results. Default: results/<start time>.")
    private @Nullable Path out;

    @Option(
            names = "--ops",
            paramLabel = "URL",
            description = {
                "Address of the gateway's health and metrics, such as http://127.0.0.1:8081: its queue wait, storage share, "
                        + "garbage collections and CPU go into the results, once a second. The key and --tls-ca are those of the "
                        + "endpoint; with ops.require-key it must be an administrator's key.",
                "Default: not asked."
            })
    private @Nullable URI ops;

    @Nullable
    public Path json() {
        return json;
    }

    /**
     * The folder for the results; null if there is to be none.
     *
     * @throws LoadFailure if something cannot be written
     */
    @Nullable
    public Path checkedFolder() {
        if (json != null) {
            ResultFile.check("--json", json);
        }
        Path folder = out != null || json != null ? out : ResultFolder.byTime();
        if (folder != null) {
            ResultFolder.check(folder);
        }
        return folder;
    }

    /**
     * Null if the gateway is not to be asked, or if it was only a guess where.
     *
     * @param guess where it may be; null for no guess
     * @param trust in servers that speak TLS
     * @param key is sent to the place that the user has named; null for none
     */
    @Nullable
    public OpsScraper scraper(@Nullable URI guess, Tls trust, @Nullable Credentials key) throws InterruptedException {
        URI place = ops == null ? guess : ops;
        if (place == null) {
            return null;
        }
        OpsScraper scraper = new OpsScraper(endpoint(place, trust), ops == null ? null : key);
        String fault = scraper.findFault();
        if (fault != null && ops != null) {
            throw new LoadFailure("--ops: " + fault);
        }
        return fault == null ? scraper : null;
    }

    private static Endpoint endpoint(URI ops, Tls trust) {
        if (ops.getHost() == null || !("http".equals(ops.getScheme()) || "https".equals(ops.getScheme()))) {
            throw new LoadFailure("--ops: '%s' is not an address like http://host:8081".formatted(ops));
        }
        return Endpoint.of(ops, trust);
    }
}
