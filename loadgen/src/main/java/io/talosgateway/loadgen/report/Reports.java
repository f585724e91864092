package io.talosgateway.loadgen.report;

import java.util.List;

import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.ServerSecond;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Timeline;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Traffic;
import io.talosgateway.loadgen.stages.StageTimes;
import org.jspecify.annotations.Nullable;

/** Makes the report of a run. Stateless. */
public final class Reports {

    private Reports() {}

    /**
     * Puts everything together.
     *
     * @param server what the gateway said of itself
     * @param stages where the time went; empty if nobody asked
     */
    public static Report of(
            LoadPlan plan, RunFacts facts, Timeline timeline, List<ServerSecond> server, List<StageTimes> stages) {
        Summary put = summary(plan.puts(), facts, timeline, Kind.PUT);
        Summary get = summary(plan.gets(), facts, timeline, Kind.GET);
        long answered = (put == null ? 0 : put.count()) + (get == null ? 0 : get.count());
        int processes = plan.process().of();
        return new Report(
                plan.target().endpoint().toString(),
                String.join(",", plan.target().topics()),
                plan.target().partitions(),
                processes * plan.puts().clients(),
                processes * plan.gets().clients(),
                plan.puts().rate(),
                (int) Math.round(plan.content().sizes().mean()),
                plan.content().idempotencyKeys(),
                plan.content().seed(),
                facts.warmupSeconds(),
                facts.seconds(),
                facts.interrupted(),
                facts.failure(),
                answered == 0 ? 0 : Math.round(facts.cpuNanos() / 10.0 / answered) / 100.0,
                put,
                get,
                Report.FORMAT,
                facts.startedAt(),
                Environment.here(),
                timeline.seconds(),
                facts.gcPauses(),
                server,
                LoadShape.of(plan),
                GeneratorCost.of(processes, facts),
                facts.idle(),
                stages);
    }

    private static @Nullable Summary summary(Traffic traffic, RunFacts facts, Timeline timeline, Kind kind) {
        return traffic.clients() == 0 ? null : Summary.of(timeline.total(kind), facts.seconds());
    }
}
