package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.errors.RetryAdvice;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.log.PartitionLog;
import io.talosgateway.rest.journal.read.ReadResult;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.partition.FencingTokenChange;
import io.talosgateway.rest.partition.FetchFrom;
import io.talosgateway.rest.partition.FetchRequest;
import io.talosgateway.rest.partition.FetchResult;
import io.talosgateway.rest.partition.PutCondition;
import io.talosgateway.rest.partition.PutRequest;
import io.talosgateway.rest.partition.PutResult;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicMetadata;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.Deadline;
import io.talosgateway.scheduler.Priority.Importance;
import io.talosgateway.scheduler.SteppedTime;
import io.talosgateway.wire.message.StoredBlock;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/** What a simulation has put into a partition and read of it, and what it was answered. For one thread. */
final class PartitionBook {

    /** Clocks of hosts are off by less than half of this. */
    static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

    final TopicPartition partition;
    private final Duration retention;
    private final SteppedTime time;
    private final List<Put> puts = new ArrayList<>();
    /** By offset: what was acknowledged, or read. */
    private final TreeMap<Long, Put> stored = new TreeMap<>();

    private final Map<String, Put> byPayload = new TreeMap<>();
    private int acknowledged;
    /** Any answer has said that the partition reaches so far. */
    private long knownEnd;
    /** Any answer has said that messages below are gone. */
    private long knownStart;

    /** How often the power was cut, and where the partition ended for sure after the last time. */
    private int powerCuts;

    private long endAfterPowerCut;
    /** Since the last power cut nobody has taken the partition over: its owner may remember messages that are lost. */
    private boolean endIsUnsure;

    private int lost;
    private int unexpected;
    private int fencedOff;
    /** The fencing token, as far as is known. */
    private @Nullable String token;

    private final Set<String> triedTokens = new HashSet<>();
    /** Tokens that were replaced, and where the partition ended when that was answered. */
    private final Map<String, Long> endWhenReplaced = new HashMap<>();

    private int restores;
    private long recordedStart;
    private long recordedEnd;
    private @Nullable AssertionError broken;

    PartitionBook(TopicMetadata topic, TopicPartition partition, SteppedTime time) {
        this.partition = partition;
        this.retention = topic.retention();
        this.time = time;
    }

    /** A put and all that was answered to it. */
    static final class Put {

        private final String payload;
        private final @Nullable IdempotencyKey key;
        private final Durability level;
        /** Whether it is on disk, as far as its producer or a record says. */
        private boolean onDisk;
        /** Whether the power was cut when it was in memory only: then it may be lost, and its offset given again. */
        private boolean mayBeLost;
        /** Attempts that may have stored it, as far as its producer was told. */
        private int unknown;

        private @Nullable Long offset;
        private long firstTriedAtNanos;
        /** The offset that it must get, or it is not stored. */
        private @Nullable Long expected;
        /** The fencing token that the partition must have, or it is not stored. */
        private @Nullable String token;

        Put(String payload, @Nullable IdempotencyKey key, Durability level) {
            this.payload = payload;
            this.key = key;
            this.level = level;
            this.onDisk = level == Durability.DISK;
        }

        void expect(long offsetOfAll) {
            expected = offsetOfAll;
        }

        @Override
        public String toString() {
            return payload.substring(0, Math.min(12, payload.length()))
                    + (key == null ? "" : " with a key")
                    + (onDisk ? "" : mayBeLost ? " that may be lost" : " in memory");
        }
    }

    Put add(String payload, boolean keyed, Durability level) {
        Put put = new Put(payload, keyed ? new IdempotencyKey(payload.substring(0, 12), true) : null, level);
        put.firstTriedAtNanos = time.nanoTime();
        puts.add(put);
        byPayload.put(payload, put);
        return put;
    }

    /** Sometimes a put with a key, which may be repeated whatever was answered. */
    @Nullable
    Put again(Random random) {
        if (puts.isEmpty() || random.nextInt(3) > 0) {
            return null;
        }
        Put put = puts.get(random.nextInt(puts.size()));
        return put.key == null ? null : put;
    }

    /** Puts that were refused because the partition ended elsewhere. */
    int unexpected() {
        return unexpected;
    }

    /** Requests that were refused because the partition had another fencing token. */
    int fencedOff() {
        return fencedOff;
    }

    int acknowledgedPuts() {
        return acknowledged;
    }

    long knownEnd() {
        return knownEnd;
    }

    /** Messages that were acknowledged or read, and whose offsets were given again or hold nothing. */
    int lost() {
        return lost;
    }

    // --- Power cuts ---

    /**
     * All DataNodes have lost what was in memory only. Messages on disk are there still, and so is what a record says; the partition
     * ends behind them, or later.
     */
    void powerCut() {
        powerCuts++;
        endAfterPowerCut = recordedEnd;
        for (Map.Entry<Long, Put> entry : stored.entrySet()) {
            if (entry.getValue().onDisk) {
                endAfterPowerCut = Math.max(endAfterPowerCut, entry.getKey() + 1);
            }
        }
        for (Put put : puts) {
            if (!put.onDisk) {
                put.mayBeLost = true;
                endIsUnsure = true;
            }
        }
        knownEnd = Math.min(knownEnd, endAfterPowerCut);
    }

    /** What is left of an end that was known when the power had been cut so often. */
    private long stillKnown(long end, int powerCutsBefore) {
        return powerCuts == powerCutsBefore ? end : Math.min(end, endAfterPowerCut);
    }

    private boolean mayBeLost(long offset) {
        Put put = stored.get(offset);
        // Nobody was told of what is at the others.
        return powerCuts > 0 && (put == null || put.mayBeLost);
    }

    // --- Puts ---

    void append(SimulatedHost host, Put put, boolean loseAnswer) {
        put.unknown++;
        long endBefore = knownEnd;
        int powerCutsBefore = powerCuts;
        Tokens tokensBefore = tokens();
        CompletableFuture<PutResult> answer = host.partitions.put(new PutRequest(
                        partition,
                        JournalFixture.batch(put.payload),
                        put.key,
                        put.level,
                        Importance.NORMAL,
                        Deadline.NONE,
                        null)
                .onlyIf(new PutCondition(put.expected, put.token)));
        if (loseAnswer) {
            return;
        }
        answer.whenComplete((result, failure) -> check(() -> {
            if (result != null) {
                put.unknown--;
                acknowledged++;
                store(put, result.firstOffset());
                put.onDisk |= result.durability() == Durability.DISK;
            } else if (failure instanceof GatewayException e
                    && e.retry() != RetryAdvice.OUTCOME_UNKNOWN
                    && e.retry() != RetryAdvice.SAME_KEY) {
                put.unknown--;
                checkUnexpected(put, e, stillKnown(endBefore, powerCutsBefore));
                checkFenced(put.token, e, tokensBefore);
            }
        }));
    }

    // --- Fencing tokens ---

    /** What was known of tokens before a request. */
    private record Tokens(@Nullable String known, Set<String> replaced, int restores) {}

    private Tokens tokens() {
        return new Tokens(token, Set.copyOf(endWhenReplaced.keySet()), restores);
    }

    /** Has the put carry the token that the partition has, as far as is known. */
    void carryToken(Put put) {
        put.token = token;
    }

    /** Sets a token that nobody has tried before, in place of the one that is known. */
    void setToken(SimulatedHost host) {
        String newToken = "token-" + (triedTokens.size() + 1);
        triedTokens.add(newToken);
        Tokens before = tokens();
        host.partitions
                .changeFencingToken(new FencingTokenChange(partition, newToken, token), Deadline.NONE)
                .whenComplete((done, failure) -> check(() -> {
                    if (failure == null) {
                        tokenIsSet(host, newToken);
                    } else if (failure instanceof GatewayException e) {
                        checkFenced(newToken, e, before);
                    }
                }));
    }

    private void tokenIsSet(SimulatedHost host, String newToken) {
        SimulationTrace.say(() -> "TOKEN " + newToken + " of " + partition);
        token = newToken;
        HostedPartition hosted = host.hosting.find(partition);
        if (hosted != null) {
            long end = hosted.log().durableOffset();
            for (String old : triedTokens) {
                if (!old.equals(newToken)) {
                    endWhenReplaced.putIfAbsent(old, end);
                }
            }
        }
    }

    /** Who is fenced off is told of a token that somebody has set, and nobody had replaced before. */
    private void checkFenced(@Nullable String carried, GatewayException refusal, Tokens before) {
        if (refusal.code() == ErrorCode.FENCED) {
            fencedOff++;
            String told = refusal.fencingToken();
            assertThat(told).as("token of %s", partition).isNotEqualTo(carried);
            if (restores == before.restores && (told != null || before.known != null)) {
                assertThat(triedTokens).as("tokens of %s", partition).contains(told);
                assertThat(before.replaced)
                        .as("tokens of %s that were replaced before", partition)
                        .doesNotContain(told);
            }
            token = told;
        }
    }

    /** A put that is told that the partition ends elsewhere is told where. */
    private void checkUnexpected(Put put, GatewayException refusal, long endBefore) {
        Long end = refusal.logEndOffset();
        if (refusal.code() == ErrorCode.UNEXPECTED_OFFSET && end != null) {
            unexpected++;
            assertThat(end)
                    .as("end of %s, which %s is told", partition, put)
                    .isNotEqualTo(put.expected)
                    .isGreaterThanOrEqualTo(endBefore);
        }
    }

    private void store(Put put, long offset) {
        assertThat(put.expected == null || put.expected == offset)
                .as("%s, which expects %s, at offset %d of %s", put, put.expected, offset, partition)
                .isTrue();
        if (put.token != null) {
            assertThat(offset)
                    .as("%s of %s, whose token %s was replaced", put, partition, put.token)
                    .isLessThan(endWhenReplaced.getOrDefault(put.token, Long.MAX_VALUE));
        }
        SimulationTrace.say(() -> "STORED " + partition + " " + put + " at " + offset);
        if (put.offset != null && offset < recordedStart && put == stored.get(offset)) {
            // It was stored there once, and again after those messages had expired: one who does not know of that tells
            // the truth.
            return;
        }
        Put other = stored.put(offset, put);
        assertThat(other == null || other == put || other.mayBeLost)
                .as("%s and %s at offset %d of %s", other, put, offset, partition)
                .isTrue();
        if (other != null && other != put) {
            lost++;
            other.offset = null;
        }
        // A key is remembered for as long as its messages are kept, at most.
        assertThat(put.offset == null || put.offset == offset || put.offset < recordedStart || put.mayBeLost)
                .as("%s at %s and at %d of %s", put, put.offset, offset, partition)
                .isTrue();
        if (put.mayBeLost && put.offset != null && put.offset != offset) {
            lost++;
            stored.remove(put.offset, put);
            put.mayBeLost = false;
        }
        if (put.offset != null && put.offset != offset) {
            put.onDisk = put.level == Durability.DISK;
        }
        put.offset = offset;
        if (!put.mayBeLost) {
            knownEnd = Math.max(knownEnd, offset + 1);
        }
    }

    // --- Gets ---

    /** Asks a host for messages, or for the end, and checks the answer when it comes. */
    void get(SimulatedHost host, Random random, boolean wait) {
        long endBefore = knownEnd;
        long startBefore = knownStart;
        int powerCutsBefore = powerCuts;
        FetchFrom from = switch (random.nextInt(6)) {
            case 0 -> new FetchFrom.Earliest();
            case 1 -> new FetchFrom.Latest();
            case 2 -> new FetchFrom.LastMessage();
            case 3 -> new FetchFrom.Offset(endBefore);
            case 4 -> new FetchFrom.Offset(endBefore + 1);
            default -> new FetchFrom.Offset((long) (endBefore * random.nextDouble()));
        };
        SimulationTrace.say(
                () -> "GET " + partition + " " + from + " of " + host.name + ", known to end at " + endBefore);
        host.partitions
                .fetch(new FetchRequest(
                        partition,
                        from,
                        1 + random.nextInt(20),
                        1 << 20,
                        wait ? Duration.ofSeconds(2) : Duration.ZERO,
                        Importance.NORMAL,
                        Deadline.NONE,
                        null))
                .whenComplete((result, failure) -> check(() -> {
                    if (result != null) {
                        checkAnswer(from, result, stillKnown(endBefore, powerCutsBefore), startBefore);
                    } else {
                        checkRefusal(from, failure, stillKnown(endBefore, powerCutsBefore));
                    }
                }));
    }

    /** A future would keep what its dependents throw to itself. */
    private void check(Runnable answer) {
        try {
            answer.run();
        } catch (AssertionError e) {
            if (broken == null) {
                broken = e;
            }
        }
    }

    /** Throws if an answer was wrong. */
    void checkAnswers() {
        if (broken != null) {
            throw broken;
        }
    }

    private void checkAnswer(FetchFrom from, FetchResult result, long endBefore, long startBefore) {
        if (result.knowsEnd()) {
            assertThat(result.logEndOffset())
                    .as("end of %s, asked from %s", partition, from)
                    .isGreaterThanOrEqualTo(endBefore);
            assertThat(result.logStartOffset())
                    .as("start of %s, asked from %s", partition, from)
                    .isGreaterThanOrEqualTo(startBefore);
        }
        if (from instanceof FetchFrom.Latest) {
            assertThat(result.fromOffset()).as("latest of %s", partition).isGreaterThanOrEqualTo(endBefore);
        }
        long offset = result.fromOffset();
        for (StoredBlock block : result.blocks()) {
            assertThat(block.startOffset()).as("dense offsets of %s", partition).isEqualTo(offset++);
            read(block);
        }
        if (result.blocks().isEmpty()) {
            assertThat(offset)
                    .as("nothing in %s, asked from %s", partition, from)
                    .isGreaterThanOrEqualTo(endBefore);
        }
        if (!endIsUnsure) {
            knownEnd = Math.max(knownEnd, result.logEndOffset());
        }
        knownStart = Math.max(knownStart, result.logStartOffset());
    }

    private void read(StoredBlock block) {
        Put put = byPayload.get(block.block().data().utf8());
        if (put == null) {
            fail("nobody has put what is at %d of %s", block.startOffset(), partition);
        } else {
            assertThat(put.offset != null || put.unknown > 0)
                    .as("%s, which was answered as not stored, at %d of %s", put, block.startOffset(), partition)
                    .isTrue();
            store(put, block.startOffset());
        }
    }

    private void checkRefusal(FetchFrom from, Throwable failure, long endBefore) {
        if (failure instanceof GatewayException e
                && e.code() == ErrorCode.OFFSET_OUT_OF_RANGE
                && from instanceof FetchFrom.Offset asked) {
            assertThat(asked.offset() < recordedStart || asked.offset() > endBefore)
                    .as(
                            "offset %d of %s is out of range, although it ends at %d and starts at %d: %s",
                            asked.offset(), partition, endBefore, recordedStart, e.getMessage())
                    .isTrue();
        } else if (!(failure instanceof GatewayException e)
                || (e.code() == ErrorCode.STORAGE_CORRUPT && !mayBeginAtLost(from))) {
            fail("a get of %s from %s failed: %s".formatted(partition, from, failure), failure);
        }
    }

    private boolean mayBeginAtLost(FetchFrom from) {
        return from instanceof FetchFrom.Offset asked
                ? mayBeLost(asked.offset())
                : LongStream.range(recordedStart, Math.max(knownEnd, recordedStart) + 1)
                        .anyMatch(this::mayBeLost);
    }

    // --- Records ---

    /** The record is changed: what it says never falls, and nothing is deleted too early. */
    void recorded(OwnershipRecord before, OwnershipRecord after) {
        assertThat(after.startOffset()).as("start of %s", partition).isGreaterThanOrEqualTo(before.startOffset());
        assertThat(after.endOffset()).as("end of %s", partition).isGreaterThanOrEqualTo(before.endOffset());
        assertThat(after.totalBytes()).as("bytes of %s", partition).isGreaterThanOrEqualTo(before.totalBytes());
        assertThat(after.endOffset()).isGreaterThanOrEqualTo(after.startOffset());
        for (Put deleted :
                stored.subMap(before.startOffset(), after.startOffset()).values()) {
            if (deleted.mayBeLost) {
                continue;
            }
            assertThat(Duration.ofNanos(time.nanoTime() - deleted.firstTriedAtNanos))
                    .as("age of %s of %s, which is deleted", deleted, partition)
                    .isGreaterThanOrEqualTo(retention.minus(CLOCKS_DIFFER));
        }
        recordedStart = after.startOffset();
        recordedEnd = after.endOffset();
        endIsUnsure &= after.epoch().equals(before.epoch());
        stored.headMap(recordedEnd).values().forEach(put -> put.onDisk = true);
    }

    /** ZooKeeper has an earlier record again, and nobody has acted on the later one. */
    void restored(@Nullable OwnershipRecord earlier) {
        // So is an earlier token.
        restores++;
        token = null;
        endWhenReplaced.clear();
        recordedStart = earlier == null ? 0 : earlier.startOffset();
        recordedEnd = earlier == null ? 0 : earlier.endOffset();
    }

    /** Reads everything and compares. */
    void check(PartitionLog log) {
        long offset = log.logStartOffset();
        assertThat(offset).as("start of %s", partition).isEqualTo(recordedStart);
        while (offset < log.durableOffset()) {
            ReadResult read;
            try {
                read = log.read(offset, 100, 1 << 20);
            } catch (GatewayException e) {
                // Its file may not have ended yet.
                boolean isGone = e.code() == ErrorCode.STORAGE_CORRUPT || e.code() == ErrorCode.STORAGE_UNAVAILABLE;
                if (!isGone || !mayBeLost(offset)) {
                    throw e;
                }
                lost++;
                offset++;
                continue;
            }
            for (StoredBlock block : read.blocks()) {
                assertThat(block.startOffset())
                        .as("dense offsets of %s", partition)
                        .isEqualTo(offset++);
                read(block);
            }
        }
        Map<Long, Put> beyond = stored.tailMap(log.durableOffset());
        assertThat(beyond.values()).as("beyond the end of %s", partition).allMatch(put -> put.mayBeLost);
        lost += beyond.size();
    }
}
