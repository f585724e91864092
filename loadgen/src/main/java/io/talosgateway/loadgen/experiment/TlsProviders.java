package io.talosgateway.loadgen.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.experiment.engine.Contrast;
import io.talosgateway.loadgen.experiment.engine.GatewayServer;
import io.talosgateway.loadgen.experiment.engine.Metric;
import io.talosgateway.loadgen.experiment.engine.Metrics;
import io.talosgateway.loadgen.experiment.engine.Scale;
import io.talosgateway.loadgen.experiment.engine.StorageKind;
import io.talosgateway.loadgen.experiment.engine.Timing;
import io.talosgateway.loadgen.experiment.engine.Trial;
import io.talosgateway.loadgen.experiment.engine.TrialClient;
import io.talosgateway.loadgen.experiment.engine.TrialComparison;
import io.talosgateway.loadgen.experiment.engine.TrialSettings;

/** What TLS costs, by the JDK and by Conscrypt. */
final class TlsProviders implements TrialComparison {

    private static final String PLAIN = "plain";
    private static final String JDK = "jdk";
    private static final String CONSCRYPT = "conscrypt";

    @Override
    public String name() {
        return "tls";
    }

    @Override
    public String question() {
        return "What does TLS cost, by the JDK and by a native library?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "256 synchronous producers put messages of 1 KiB to 64 partitions, over plain HTTP and over TLS 1.3 by the JDK "
                        + "and by Conscrypt (BoringSSL); the client's side of TLS is always the JDK's.",
                "kept: each producer keeps its connection, so that TLS is the encryption of what goes to and fro. new: each put "
                        + "has a connection of its own, so that most of TLS is the handshake; clients resume their sessions "
                        + "where the server lets them.",
                "Messages go to files, and are answered when the system has them (memory): the storage shall not be what limits.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(3, 8, 8) : Timing.of(5, 15, 20);
    }

    @Override
    public StorageKind storage() {
        return StorageKind.FILE;
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        TrialClient kept = TrialClient.run(
                "--topic", "tls", "--partitions", "64", "--put-threads", "256", "--size", "1KiB", "--tls-insecure");
        List<Trial> trials = new ArrayList<>();
        for (Map.Entry<String, TrialClient> load :
                List.of(Map.entry("kept", kept), Map.entry("new", kept.with("--new-connections")))) {
            List<TrialClient> clients = List.of(load.getValue());
            trials.add(Trial.of(load.getKey(), PLAIN, new GatewayServer(TlsGatewayServer.MEMORY), clients));
            for (String provider : List.of(JDK, CONSCRYPT)) {
                trials.add(Trial.of(load.getKey(), provider, new TlsGatewayServer(provider), clients));
            }
        }
        return trials;
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.PUTS,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.SERVER_CPU,
                Metrics.LOAD_CPU,
                Metrics.CPU_BUSY,
                Metrics.SERVER_SWITCHES_PER_REQUEST,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast(JDK, PLAIN), new Contrast(CONSCRYPT, PLAIN), new Contrast(CONSCRYPT, JDK));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(Metrics.PUTS, Metrics.PUT_MEAN, Metrics.PUT_P99, Metrics.SERVER_CPU);
    }
}
