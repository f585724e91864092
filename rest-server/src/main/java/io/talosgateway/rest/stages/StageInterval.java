package io.talosgateway.rest.stages;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A part of the time of a request: what it went through from one stage to the next.
 *
 * @param fromNanos on the clock of the stages
 * @param toNanos on the same clock
 */
public record StageInterval(Kind kind, long fromNanos, long toNanos) {

    /** What the time goes into. */
    public enum Kind {
        /** The body arrives and is decoded; who asks, and whether he may. */
        RECEIVE,
        /** Another host has it. */
        FORWARD,
        /** It waits behind others of its partition. */
        QUEUE,
        /** Its lane takes it into a group, and writes the group. If nobody knows when the group was written, with its sync. */
        LANE,
        /** The group is made durable. */
        SYNC,
        /** Its messages are read. */
        READ,
        /** Its answer is made, written and taken by the client. */
        ANSWER;

        private final String text = name().toLowerCase(Locale.ROOT);

        public String text() {
            return text;
        }
    }

    /**
     * The intervals of a request that has ended, without gaps and in order; those in a row of the same kind are one.
     *
     * @param reads whether it is a get; else it is a put
     * @param endNanos when it ended, on the clock of the stages
     * @return empty if it is not known what it did in between
     */
    public static List<StageInterval> of(Stages stages, boolean reads, long endNanos) {
        List<Stage> way = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            if (stages.passed(stage)) {
                way.add(stage);
            }
        }
        // A request that was tried here first, and then elsewhere, has passed them in another order.
        // By differences, as the clock may wrap.
        way.sort((a, b) -> Long.signum(stages.atNanos(a) - stages.atNanos(b)));
        if (way.size() < 2 || way.equals(List.of(Stage.RECEIVED, Stage.ANSWERED))) {
            return List.of();
        }
        List<StageInterval> intervals = new ArrayList<>();
        for (int index = 0; index < way.size(); index++) {
            Stage stage = way.get(index);
            long toNanos = index + 1 < way.size() ? stages.atNanos(way.get(index + 1)) : endNanos;
            add(intervals, new StageInterval(after(stage, reads), stages.atNanos(stage), toNanos));
        }
        return intervals;
    }

    private static void add(List<StageInterval> intervals, StageInterval interval) {
        int last = intervals.size() - 1;
        if (last >= 0 && intervals.get(last).kind == interval.kind) {
            intervals.set(last, new StageInterval(interval.kind, intervals.get(last).fromNanos, interval.toNanos));
        } else {
            intervals.add(interval);
        }
    }

    /** What happens between a stage and the next one. */
    private static Kind after(Stage stage, boolean reads) {
        return switch (stage) {
            case RECEIVED -> Kind.RECEIVE;
            case FORWARDED -> Kind.FORWARD;
            case QUEUED -> Kind.QUEUE;
            case STARTED -> reads ? Kind.READ : Kind.LANE;
            case WRITING -> Kind.LANE;
            case WRITTEN -> Kind.SYNC;
            case RETURNED, SYNCED, READ, ANSWERED -> Kind.ANSWER;
        };
    }
}
