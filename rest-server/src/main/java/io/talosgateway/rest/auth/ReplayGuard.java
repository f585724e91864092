package io.talosgateway.rest.auth;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;

/*
 * For each key, what it signed by the second of its timestamp:
 *
 *            floor            now - tolerance                  now          now + tolerance
 *   refused    |   refused          |  remembered: accepted once             |  refused: the clock
 *
 * The floor is the second in which this host began, whose predecessor it knows nothing of. When there is no room, the oldest
 * second of the key that has most is forgotten, and becomes that key's floor: nothing that was forgotten is accepted again.
 */
/**
 * Accepts each signed change once while its timestamp is valid; see docs/decisions/0036-replay.md. Safe for use by any thread.
 */
public final class ReplayGuard {

    private final long toleranceSeconds;
    private final int most;
    private final InstantSource clock;
    private final long startedAtSecond;
    private final Map<String, Signed> keys = new HashMap<>();
    private int remembered;
    private long expiredBefore;

    /**
     * @param tolerance how far the clock of a client may be off
     * @param most signatures that are remembered, of all keys together
     */
    public ReplayGuard(Duration tolerance, int most, InstantSource clock) {
        this.toleranceSeconds = tolerance.toSeconds();
        this.most = most;
        this.clock = clock;
        this.startedAtSecond = clock.instant().getEpochSecond();
    }

    /** The first bytes of a signature, which nobody can choose who has not the key. */
    private record Mark(long first, long second) {}

    /** What a key signed, by second. */
    private static final class Signed {

        private final TreeMap<Long, Set<Mark>> seconds = new TreeMap<>();
        private long floor;
        private int size;

        private Signed(long floor) {
            this.floor = floor;
        }
    }

    /**
     * Accepts a change.
     *
     * @param signature in Base64, which is right
     * @param second timestamp that it holds, which is valid
     * @return forgets it again: for a change that was not made
     * @throws GatewayException {@code REPLAYED} if it was accepted before; {@code CLOCK_SKEWED} if this host cannot tell
     */
    public Runnable accept(String keyId, String signature, long second) {
        Mark mark = mark(signature);
        synchronized (keys) {
            long oldestValid = clock.instant().getEpochSecond() - toleranceSeconds;
            if (oldestValid != expiredBefore) {
                expiredBefore = oldestValid;
                keys.values().removeIf(signed -> expire(signed, oldestValid));
            }
            Signed signed = keys.get(keyId);
            // A key without an entry has forgotten nothing that is valid.
            long floor = signed == null ? startedAtSecond : signed.floor;
            if (second < floor) {
                throw new GatewayException(
                        ErrorCode.CLOCK_SKEWED,
                        "The request was signed %d seconds before what this host remembers, and may have been accepted already; set the clock of the client, and sign it again."
                                .formatted(floor - second));
            }
            if (signed != null && signed.seconds.getOrDefault(second, Set.of()).contains(mark)) {
                throw new GatewayException(
                        ErrorCode.REPLAYED,
                        "A request with this signature was accepted already. Sign each request anew, with another "
                                + "x-xiaomi-nonce.");
            }
            if (signed == null) {
                signed = new Signed(startedAtSecond);
                keys.put(keyId, signed);
            }
            signed.seconds.computeIfAbsent(second, each -> new HashSet<>()).add(mark);
            signed.size++;
            remembered++;
            while (remembered > most) {
                forgetOldest();
            }
        }
        return () -> forget(keyId, mark, second);
    }

    private static Mark mark(String signature) {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(signature));
        return new Mark(bytes.getLong(), bytes.getLong());
    }

    /** Forgets what is not valid any more; true if the key has nothing to remember, its floor included. */
    private boolean expire(Signed signed, long oldestValid) {
        while (!signed.seconds.isEmpty() && signed.seconds.firstKey() < oldestValid) {
            forgetFirst(signed);
        }
        return signed.size == 0 && signed.floor <= Math.max(oldestValid, startedAtSecond);
    }

    private void forgetOldest() {
        Signed largest = keys.values().stream()
                .max(Comparator.comparingInt(signed -> signed.size))
                .orElseThrow();
        largest.floor = Math.max(largest.floor, forgetFirst(largest) + 1);
    }

    /** Forgets the oldest second that a key has, and gives it. */
    private long forgetFirst(Signed signed) {
        Map.Entry<Long, Set<Mark>> first = Objects.requireNonNull(signed.seconds.pollFirstEntry());
        int marks = first.getValue().size();
        signed.size -= marks;
        remembered -= marks;
        return first.getKey();
    }

    private void forget(String keyId, Mark mark, long second) {
        synchronized (keys) {
            Signed signed = keys.get(keyId);
            Set<Mark> marks = signed == null ? null : signed.seconds.get(second);
            if (signed == null || marks == null || !marks.remove(mark)) {
                return;
            }
            signed.size--;
            remembered--;
            if (marks.isEmpty()) {
                signed.seconds.remove(second);
            }
        }
    }

    /** Signatures that are remembered. */
    public int remembered() {
        synchronized (keys) {
            return remembered;
        }
    }
}
