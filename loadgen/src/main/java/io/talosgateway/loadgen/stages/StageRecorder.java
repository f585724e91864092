package io.talosgateway.loadgen.stages;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Times the steps of one kind of request. For one thread. */
public final class StageRecorder {

    /** When the client sent the first byte, and when it had the whole answer. */
    static final String SENT = "sent";

    static final String GOT = "got";

    private static final int DIGITS = 3;
    private static final double NANOS_PER_MS = 1e6;

    private record Way(String from, String to) {

        /** Whether it is between client and gateway. */
        boolean isOutside() {
            return from.equals(SENT) || to.equals(GOT);
        }
    }

    /**
     * When a request passed a stage.
     *
     * @param stage as the gateway names it
     * @param atNanos on the gateway's monotonic clock
     */
    private record Stamp(String stage, long atNanos) {

        private static final Pattern FORM = Pattern.compile("([a-z]{1,20})=(-?\\d{1,19})");
        private static final int MAX_STAMPS = 32;

        /**
         * The stamps of a header {@code Talos-Stages}, in its order.
         *
         * @throws IOException if it is none
         */
        static List<Stamp> parse(String header) throws IOException {
            List<Stamp> stamps = new ArrayList<>();
            for (String part : header.split(",", MAX_STAMPS + 1)) {
                Matcher matcher = FORM.matcher(part.trim());
                if (!matcher.matches() || stamps.size() == MAX_STAMPS) {
                    throw new IOException("The header Talos-Stages is none of a gateway: '%s'".formatted(header));
                }
                try {
                    stamps.add(new Stamp(matcher.group(1), Long.parseLong(matcher.group(2))));
                } catch (NumberFormatException e) {
                    throw new IOException("The header Talos-Stages has a time that is none: '%s'".formatted(part), e);
                }
            }
            return stamps;
        }
    }

    private final String request;
    /** In the order in which they were met, which is that of the way. */
    private final Map<Way, Histogram> ways = new LinkedHashMap<>();

    private final Histogram whole = new Histogram(DIGITS);
    private final Histogram wholeInGateway = new Histogram(DIGITS);
    private boolean oneClock = true;
    private @Nullable String problem;

    public StageRecorder(String request) {
        this.request = request;
    }

    /**
     * Times a request.
     *
     * @param sentAtNanos on the clock of this process, like {@code gotAtNanos}
     * @param header what the gateway says
     * @throws IOException if that says nothing of stages
     */
    public void record(long sentAtNanos, String header, long gotAtNanos) throws IOException {
        List<Stamp> stamps = new ArrayList<>(Stamp.parse(header));
        // Of a request that was tried again, one stage may be of an earlier attempt than the stage before it.
        Stamp origin = stamps.get(0);
        stamps.sort(Comparator.comparingLong(stamp -> stamp.atNanos() - origin.atNanos()));
        Stamp begin = stamps.get(0);
        Stamp end = stamps.get(stamps.size() - 1);
        if (begin.atNanos() - sentAtNanos < 0 || gotAtNanos - end.atNanos() < 0) {
            oneClock = false;
        } else {
            stamps.add(0, new Stamp(SENT, sentAtNanos));
            stamps.add(new Stamp(GOT, gotAtNanos));
        }
        for (int index = 1; index < stamps.size(); index++) {
            Stamp from = stamps.get(index - 1);
            Stamp to = stamps.get(index);
            ways.computeIfAbsent(new Way(from.stage(), to.stage()), way -> new Histogram(DIGITS))
                    .recordValue(to.atNanos() - from.atNanos());
        }
        whole.recordValue(gotAtNanos - sentAtNanos);
        wholeInGateway.recordValue(end.atNanos() - begin.atNanos());
    }

    /** A request could not be timed. */
    public void failed(String reason) {
        problem = reason;
    }

    /** What came together. */
    public StageTimes times() {
        Histogram all = oneClock ? whole : wholeInGateway;
        // A way that was met late is before the end of all of them.
        List<StageTimes.Step> steps = ways.entrySet().stream()
                .filter(way -> oneClock || !way.getKey().isOutside())
                .sorted(Comparator.comparing(way -> way.getKey().to.equals(GOT)))
                .map(way -> step(way.getKey(), way.getValue(), all))
                .toList();
        return new StageTimes(request, all.getTotalCount(), oneClock, ms(all.getMean()), steps, problem);
    }

    private static StageTimes.Step step(Way way, Histogram times, Histogram all) {
        return new StageTimes.Step(
                way.from,
                way.to,
                times.getTotalCount(),
                ms(times.getMean()),
                ms((double) times.getValueAtPercentile(50)),
                ms((double) times.getValueAtPercentile(99)),
                all.getMean() == 0 ? 0 : rounded(sum(times) / sum(all)));
    }

    private static double sum(Histogram times) {
        return times.getMean() * times.getTotalCount();
    }

    /** Steps are of microseconds: to a tenth of one. */
    private static double ms(double nanos) {
        return rounded(nanos / NANOS_PER_MS);
    }

    /** To four decimals. */
    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
