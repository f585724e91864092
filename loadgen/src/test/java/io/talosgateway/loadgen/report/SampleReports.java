package io.talosgateway.loadgen.report;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.talosgateway.loadgen.content.Format;
import io.talosgateway.loadgen.content.MessageCompression;
import io.talosgateway.loadgen.http.Endpoint;
import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.KindRecorder;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Timeline;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Plans;
import io.talosgateway.loadgen.plan.Target;
import io.talosgateway.loadgen.plan.Traffic;
import io.talosgateway.loadgen.plan.Warmup;
import org.jspecify.annotations.Nullable;

/** Reports of runs that nobody made. */
final class SampleReports {

    static final long MS = 1_000_000;
    static final long SECOND = 1000 * MS;

    private SampleReports() {}

    /** Three seconds of puts and gets; puts take so long and a little more; one is refused. */
    static Report report(long putMs) {
        KindRecorder puts = new KindRecorder();
        KindRecorder gets = new KindRecorder();
        Timeline timeline = new Timeline();
        timeline.begin(Map.of(), 0);
        for (int second = 1; second <= 3; second++) {
            for (int number = 0; number < 100; number++) {
                puts.answered(true, (putMs + number / 50) * MS, 1, 1024);
                gets.answered(true, (2 * putMs + number / 90) * MS, number % 2, 2048);
            }
            if (second == 2) {
                puts.failed(503, "overloaded", "Too <much>.");
            }
            timeline.second(Map.of(Kind.PUT, puts.take(), Kind.GET, gets.take()), second * SECOND);
        }
        timeline.end(Map.of(), 3 * SECOND);
        return report(
                Summary.of(timeline.total(Kind.PUT), 3),
                Summary.of(timeline.total(Kind.GET), 3),
                timeline.seconds(),
                List.of(server(0, 0.4), server(1, 0.5), server(2, 0.6)));
    }

    private static Map<String, Double> server(int second, double share) {
        Map<String, Double> fields = new LinkedHashMap<>();
        fields.put("atSeconds", (double) second);
        fields.put("seconds", 1.0);
        fields.put("putQueueMs", 0.1);
        fields.put("getQueueMs", 0.2);
        fields.put("putMs", 2.0);
        fields.put("storageMs", 2.0 * share);
        fields.put("storageSharePercent", 100 * share);
        fields.put("gcMs", second == 1 ? 7.0 : 0.0);
        fields.put("gcPercent", second == 1 ? 0.7 : 0.0);
        return fields;
    }

    static Report report(
            @Nullable Summary put, @Nullable Summary get, List<Second> timeline, List<Map<String, Double>> server) {
        return new Report(
                new LoadPlan(
                        new Target(
                                new Endpoint(URI.create("http://127.0.0.1:8080")),
                                null,
                                List.of("orders"),
                                4,
                                true,
                                false),
                        new Traffic(put == null ? 0 : 8, null),
                        get == null ? Traffic.NONE : new Traffic(2, 10.0),
                        Plans.content(Format.RAW, "1KiB", 1, MessageCompression.NONE),
                        Warmup.of(Duration.ofSeconds(1)),
                        Duration.ofSeconds(3),
                        null),
                new RunFacts(
                        "2026-01-02T03:04:05Z",
                        1,
                        3,
                        true,
                        null,
                        3 * SECOND / 2,
                        List.of(new GcPause(1.25, 4, "Copy", "Allocation Failure"))),
                put,
                get,
                timeline,
                server,
                new Environment("", "host", "Linux", 2, 1024, "VM", 512, List.of("-Xmx512m")));
    }
}
