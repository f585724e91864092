package io.talosgateway.loadgen.report;

import java.util.List;

import io.talosgateway.loadgen.measure.GcPause;
import io.talosgateway.loadgen.measure.IdleCount;
import io.talosgateway.loadgen.measure.Kind;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.Second;
import io.talosgateway.loadgen.measure.ServerSecond;
import io.talosgateway.loadgen.measure.Summary;
import io.talosgateway.loadgen.measure.Timeline;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.plan.Traffic;
import io.talosgateway.loadgen.stages.StageTimes;
import org.jspecify.annotations.Nullable;

/**
 * What came of a run, as it is written to a file ({@code docs/loadgen-results.md}). Fields are only ever added.
 *
 * @param topic the topics' names, joined by commas
 * @param partitions how many partitions of each topic were used
 * @param putThreads of all processes together, as are getThreads
 * @param putRate puts a second that were offered; null if each producer waited for its answers only
 * @param sizeBytes of a message, in the mean
 * @param seconds how long requests counted, which is less than planned after an interruption
 * @param interrupted whether the run ended before its time
 * @param failure why it could not go on; null if it could
 * @param cpuMicrosPerRequest CPU time that the load generator itself took for a request of the window
 * @param put null without producers
 * @param get null without readers
 * @param format of the file; files without it are older, and have nothing from here on
 * @param startedAt when the warm-up began, by the wall clock
 * @param environment where the load generator ran
 * @param timeline the time that counts, second by second
 * @param gcPauses of the load generator, in the time that counts
 * @param server what the gateway said of itself; empty if it was not asked
 * @param load what else was asked for
 * @param generator what the load generator itself took
 * @param idle what came of idle connections; null without any
 * @param stages where the time of a request went; empty if it was not asked
 */
public record Report(
        String endpoint,
        String topic,
        int partitions,
        int putThreads,
        int getThreads,
        @Nullable Double putRate,
        int sizeBytes,
        boolean idempotencyKeys,
        long seed,
        double warmupSeconds,
        double seconds,
        boolean interrupted,
        @Nullable String failure,
        double cpuMicrosPerRequest,
        @Nullable Summary put,
        @Nullable Summary get,
        int format,
        String startedAt,
        Environment environment,
        List<Second> timeline,
        List<GcPause> gcPauses,
        List<ServerSecond> server,
        LoadShape load,
        GeneratorCost generator,
        @Nullable IdleCount idle,
        List<StageTimes> stages) {

    /** The format that is written. */
    static final int FORMAT = 1;

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
                FORMAT,
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

    @Nullable
    Summary of(Kind kind) {
        return kind == Kind.PUT ? put : get;
    }

    int threads(Kind kind) {
        return kind == Kind.PUT ? putThreads : getThreads;
    }

    /** What a put carries, for people. */
    String content() {
        return load.content(sizeBytes);
    }

    /** Requests a second of all together that were offered; null if it was not said. */
    @Nullable
    Double rate(Kind kind) {
        return kind == Kind.PUT ? putRate : load.getRate();
    }

    /** Requests a second of each thread that were offered; null if it was not said. */
    @Nullable
    Double ratePerThread(Kind kind) {
        return kind == Kind.PUT ? load.putRatePerThread() : load.getRatePerThread();
    }

    /** Requests that were answered without an error, in the window. */
    public long answered() {
        return (put == null ? 0 : put.count()) + (get == null ? 0 : get.count());
    }
}
