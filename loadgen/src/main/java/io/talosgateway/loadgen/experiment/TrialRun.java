package io.talosgateway.loadgen.experiment;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.measure.OpsScraper;
import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.process.Directories;
import io.talosgateway.loadgen.process.GcLog;
import org.jspecify.annotations.Nullable;

/**
 * A trial, once: fresh storage, fresh server, fresh client, and everything ended and deleted. For one thread.
 *
 * @param directory of this run; made now, deleted at the end
 * @param out takes what the client writes
 * @param stage hears what it is at
 */
record TrialRun(
        TrialEnvironment environment, Trial trial, int round, Path directory, Path out, Consumer<String> stage) {

    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);
    /** Over the time of its load, for a client to start, to make its topic, and to write its results. */
    private static final Duration MARGIN = Duration.ofMinutes(2);

    private static final Pattern HDFS_SERVES = Pattern.compile("HDFS serves at (hdfs://\\S+)");

    /** A trial that fails says so in its measurement: others may still succeed. */
    Measurement measure() throws InterruptedException {
        try {
            Files.createDirectories(directory);
            return measured();
        } catch (IOException | LoadFailure e) {
            if (environment.programs().isInterrupted()) {
                throw new InterruptedException();
            }
            return Measurement.failed(trial, round, e.getMessage() == null ? e.toString() : e.getMessage());
        } finally {
            environment.programs().endAll();
            clean();
        }
    }

    private void clean() {
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            environment.progress().say("Cannot delete %s: %s".formatted(directory, e.getMessage()));
        }
    }

    private Measurement measured() throws IOException, InterruptedException {
        TrialSettings settings = environment.settings();
        Map<String, String> storage = new TreeMap<>();
        ChildProcess hdfs = null;
        if (trial.server().stores() && settings.storage() == StorageKind.HDFS) {
            stage.accept("starting HDFS");
            hdfs = environment.programs().hdfs(directory.resolve("hdfs"), settings.dataNodes());
            Matcher serves = hdfs.awaitLine(HDFS_SERVES, START_TIMEOUT);
            storage.put("storage.root", serves.group(1) + "/talos");
            storage.put("hadoop.dfs.replication", Integer.toString(settings.dataNodes()));
        } else {
            storage.put("storage.root", directory.resolve("storage").toUri().toString());
        }
        stage.accept("starting the server");
        return loaded(trial.server().start(environment, directory, storage), hdfs);
    }

    private Measurement loaded(Server.Running server, @Nullable ChildProcess hdfs)
            throws IOException, InterruptedException {
        TrialSettings settings = environment.settings();
        ChildProcess client = environment.programs().loadgen(trial.commandLine(server, settings, out));
        stage.accept(settings.warmupText());
        awaitWarm(client, server.ops());
        stage.accept("measuring for %d s".formatted(settings.duration().toSeconds()));
        long fromMs = System.currentTimeMillis();
        Snapshot before = Snapshot.at(server, hdfs);
        client.awaitEnd(settings.duration());
        Snapshot after = Snapshot.at(server, hdfs);
        long untilMs = System.currentTimeMillis();
        client.awaitSuccess(MARGIN);
        GcLog pauses =
                server.gcLog() == null ? null : GcLog.read(server.gcLog()).between(fromMs, untilMs);
        Measurement measurement = Measurement.read(trial, round, out, pauses == null ? List.of() : pauses.pauses());
        Map<String, Double> values = measurement.values();
        after.addTo(values, before);
        if (pauses != null) {
            values.put("gateway.gcLongestMs", pauses.longestMs());
            values.put("gateway.gcFull", (double) pauses.full());
        }
        return measurement;
    }

    /**
     * Waits for the end of the warm-up. Meanwhile it reads the metrics once a second. A gateway whose metrics are first read when it
     * ends is slower for seconds: the JVM gives up compiled code that this request shares with puts.
     */
    private void awaitWarm(ChildProcess client, @Nullable URI ops) throws IOException, InterruptedException {
        Duration atMost = environment.settings().warmup().most().plus(MARGIN);
        if (ops == null) {
            client.awaitLine(Programs.WARM, atMost);
            return;
        }
        try (OpsScraper reader = new OpsScraper(new Endpoint(ops), null)) {
            reader.start();
            client.awaitLine(Programs.WARM, atMost);
        }
    }
}
