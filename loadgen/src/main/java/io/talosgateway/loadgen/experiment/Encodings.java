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

/** What a message costs in each of the ways to send it. */
final class Encodings implements TrialComparison {

    private static final String RAW = "raw";
    private static final List<String> FORMATS = List.of("thrift", "json", "ndjson", RAW);
    private static final String RATE = "2000";
    private static final String BATCHED_RATE = "500";
    private static final String BATCH = "20";

    @Override
    public String name() {
        return "encodings";
    }

    @Override
    public String question() {
        return "What does a message cost as Thrift, JSON, NDJSON and raw bytes?";
    }

    @Override
    public List<String> description() {
        return List.of(
                "Messages of 1 KiB of text, at the same given rate (open loop), by 64 producers to 16 partitions: 2,000 puts "
                        + "of one message a second; the same, and 16 readers that follow the ends of the partitions in the same "
                        + "format; and 500 puts of 20 messages a second, which raw does not have.",
                "thrift: the Talos interface, compact protocol. json and ndjson carry text as it is, and would carry other bytes "
                        + "as base64. raw: the body is the message. What is compared is CPU time for each message, latency, and "
                        + "the bytes of bodies.");
    }

    @Override
    public Timing timing(Scale scale) {
        return scale == Scale.QUICK ? Timing.of(2, 8, 8) : Timing.of(5, 15, 30);
    }

    @Override
    public StorageKind storage() {
        return StorageKind.FILE;
    }

    @Override
    public List<Trial> trials(TrialSettings settings) {
        GatewayServer server = new GatewayServer(Map.of("journal.durability", "memory"));
        List<Trial> trials = new ArrayList<>();
        for (String format : FORMATS) {
            trials.add(Trial.of("put 1", format, server, List.of(client(format, RATE))));
        }
        for (String format : FORMATS) {
            trials.add(Trial.of(
                    "put 1 and get",
                    format,
                    server,
                    List.of(client(format, RATE).with("--get-threads", "16"))));
        }
        for (String format : FORMATS) {
            if (!format.equals(RAW)) {
                trials.add(Trial.of(
                        "put " + BATCH,
                        format,
                        server,
                        List.of(client(format, BATCHED_RATE).with("--batch", BATCH))));
            }
        }
        return trials;
    }

    private static TrialClient client(String format, String rate) {
        return TrialClient.run(
                "--topic",
                "encodings",
                "--partitions",
                "16",
                "--format",
                format,
                "--put-threads",
                "64",
                "--put-rate",
                rate,
                "--size",
                "1KiB");
    }

    @Override
    public List<Metric> columns() {
        return List.of(
                Metrics.SERVER_CPU_PER_MESSAGE,
                Metrics.LOAD_CPU,
                Metrics.PUT_MESSAGES,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.GETS,
                Metrics.GET_MESSAGES,
                Metrics.GET_MEAN,
                Metrics.RECEIVED_BYTES_PER_MESSAGE,
                Metrics.SENT_BYTES_PER_MESSAGE,
                Metrics.CPU_BUSY,
                Metrics.GC_SHARE,
                Metrics.ERRORS);
    }

    @Override
    public List<Contrast> contrasts() {
        return List.of(new Contrast("json", "thrift"), new Contrast("ndjson", "thrift"), new Contrast(RAW, "thrift"));
    }

    @Override
    public List<Metric> contrasted() {
        return List.of(
                Metrics.SERVER_CPU_PER_MESSAGE,
                Metrics.LOAD_CPU,
                Metrics.PUT_MEAN,
                Metrics.PUT_P99,
                Metrics.RECEIVED_BYTES_PER_MESSAGE,
                Metrics.SENT_BYTES_PER_MESSAGE);
    }
}
