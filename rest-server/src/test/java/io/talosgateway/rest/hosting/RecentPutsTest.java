package io.talosgateway.rest.hosting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.hosting.RecentPuts.Known;
import io.talosgateway.rest.journal.KeyedPut;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.message.IdempotencyKey;
import io.talosgateway.rest.message.IdempotencyKey.Fingerprint;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.rest.topic.TopicId;
import io.talosgateway.rest.topic.TopicPartition;
import io.talosgateway.scheduler.SteppedTime;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class RecentPutsTest {

    private static final AppendResult RESULT = new AppendResult(7, 2, 1_000, Durability.DISK);

    private static final RecentPutsConfig CONFIG = new RecentPutsConfig(Duration.ofSeconds(60), 100, 3);

    private final SteppedTime time = new SteppedTime();
    private final RecentPutsTable table = new RecentPutsTable(CONFIG, time);
    private final RecentPuts puts = new RecentPuts(table);

    private static Fingerprint key(String key) {
        return new IdempotencyKey(key, true).fingerprint();
    }

    private static CompletableFuture<AppendResult> stored() {
        return CompletableFuture.completedFuture(RESULT);
    }

    @Test
    void unknownKeyIsNew() {
        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.NEW);
    }

    @Test
    void repeatOfAStoredPutHasItsResult() {
        puts.add(key("a"), 1, stored());

        RecentPuts.Match match = puts.find(key("a"), 1);

        assertThat(match.known()).isEqualTo(Known.REPEAT);
        assertThat(match.outcome()).isCompletedWithValue(RESULT);
    }

    @Test
    void repeatOfAPutOnItsWayWaitsForIt() {
        CompletableFuture<AppendResult> outcome = new CompletableFuture<>();
        puts.add(key("a"), 1, outcome);

        RecentPuts.Match match = puts.find(key("a"), 1);
        assertThat(match.outcome()).isNotDone();
        outcome.complete(RESULT);
        assertThat(match.outcome()).isCompletedWithValue(RESULT);
    }

    @Test
    void putThatIsNotStoredIsForgotten() {
        CompletableFuture<AppendResult> outcome = new CompletableFuture<>();
        puts.add(key("a"), 1, outcome);
        outcome.completeExceptionally(new IllegalStateException("not stored"));

        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(table.count()).isEqualTo(0);
    }

    @Test
    void sameKeyWithOtherMessagesIsNotARepeat() {
        puts.add(key("a"), 1, stored());

        assertThat(puts.find(key("a"), 2).known()).isEqualTo(Known.OTHER_MESSAGES);
    }

    /** A key that is not strict is used again for other messages; then the earlier put fails. */
    @Test
    void failureOfAnEarlierPutDoesNotForgetALaterOneOfTheSameKey() {
        CompletableFuture<AppendResult> earlier = new CompletableFuture<>();
        puts.add(key("a"), 1, earlier);
        puts.add(key("a"), 2, stored());
        earlier.completeExceptionally(new IllegalStateException("not stored"));

        assertThat(puts.find(key("a"), 2).known()).isEqualTo(Known.REPEAT);
        assertThat(table.count()).isEqualTo(1);
    }

    @Test
    void oldestIsForgottenWhenThereAreTooMany() {
        RecentPutsTable fewEach = new RecentPutsTable(new RecentPutsConfig(Duration.ofSeconds(60), 2, 3), time);
        RecentPuts few = new RecentPuts(fewEach);
        few.add(key("a"), 1, stored());
        few.add(key("b"), 1, stored());
        few.add(key("c"), 1, stored());

        assertThat(few.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(few.find(key("b"), 1).known()).isEqualTo(Known.REPEAT);
        assertThat(few.size()).isEqualTo(2);
        assertThat(fewEach.count()).isEqualTo(2);
    }

    @Test
    void ofTooManyInAllPartitionsTheOldestIsForgottenWhicheverPartitionHasIt() {
        RecentPuts other = new RecentPuts(table);
        puts.add(key("a"), 1, stored());
        puts.add(key("b"), 1, stored());
        other.add(key("c"), 1, stored());
        other.add(key("d"), 1, stored());

        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(puts.find(key("b"), 1).known()).isEqualTo(Known.REPEAT);
        assertThat(other.size()).isEqualTo(2);
        assertThat(table.count()).isEqualTo(3);
    }

    @Test
    void whatIsTooOldInAPartitionThatIsIdleIsForgottenToo() {
        RecentPuts busy = new RecentPuts(table);
        puts.add(key("a"), 1, stored());
        time.advance(Duration.ofMillis(60_001));
        busy.add(key("b"), 1, stored());

        assertThat(puts.size()).isZero();
        assertThat(table.count()).isEqualTo(1);
    }

    @Test
    void whatIsTooOldIsForgotten() {
        puts.add(key("a"), 1, stored());
        time.advance(Duration.ofMinutes(1));
        puts.add(key("b"), 1, stored());
        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.REPEAT);
        time.advance(Duration.ofMillis(1));
        puts.add(key("c"), 1, stored());

        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(puts.find(key("b"), 1).known()).isEqualTo(Known.REPEAT);
    }

    private static KeyedPut earlier(String key, long appendTimestampMs) {
        return new KeyedPut(new TopicPartition(new TopicId(1, 1), 0), key(key), 1, 7, 2, appendTimestampMs);
    }

    @Test
    void putsOfAnEarlierLifeAreRepeatsToo() {
        puts.restore(earlier("a", 1_000), Durability.DISK);

        assertThat(puts.find(key("a"), 1).outcome()).isCompletedWithValue(RESULT);
    }

    /** The clock of the earlier owner was a year behind, or ahead, or set in between. */
    @Test
    void putsOfAnEarlierLifeAgeFromTheMomentTheyAreRestored() {
        puts.restore(earlier("a", Duration.ofDays(365).toMillis()), Durability.DISK);
        puts.restore(earlier("b", 1_000), Durability.DISK);

        time.advance(Duration.ofMinutes(1));
        puts.add(key("c"), 1, stored());
        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.REPEAT);
        assertThat(puts.find(key("b"), 1).known()).isEqualTo(Known.REPEAT);
        time.advance(Duration.ofMillis(1));
        puts.add(key("d"), 1, stored());

        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(puts.find(key("b"), 1).known()).isEqualTo(Known.NEW);
        assertThat(puts.find(key("c"), 1).known()).isEqualTo(Known.REPEAT);
        assertThat(table.count()).isEqualTo(2);
    }

    @Test
    void restoredPutsAreBoundedInNumber() {
        for (int number = 0; number < 1_000; number++) {
            puts.restore(earlier("key-" + number, number), Durability.DISK);
        }

        assertThat(puts.size()).isEqualTo(3);
        assertThat(puts.find(key("key-999"), 1).known()).isEqualTo(Known.REPEAT);
    }

    /** Against the same rules in collections of objects; so many puts that the arrays grow, and slots are used again. */
    @Test
    void whatIsRememberedIsWhatTheRulesSay() {
        Random random = new Random(19);
        RecentPutsConfig config = new RecentPutsConfig(Duration.ofSeconds(60), 70, 150);
        RecentPutsTable all = new RecentPutsTable(config, time);
        List<RecentPuts> partitions = List.of(new RecentPuts(all), new RecentPuts(all), new RecentPuts(all));
        RecentPutsModel model = new RecentPutsModel(config, time, partitions.size());
        List<CompletableFuture<AppendResult>> underWay = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            // The partitions are not equally busy.
            int number = Math.min(random.nextInt(3), random.nextInt(3));
            RecentPuts partition = partitions.get(number);
            // The same keys in all partitions, so that they meet.
            Fingerprint key = new Fingerprint(random.nextInt(100), random.nextInt(2));
            long digest = random.nextInt(2);
            int kind = random.nextInt(1_000);
            if (kind < 600) {
                CompletableFuture<AppendResult> outcome = new CompletableFuture<>();
                partition.add(key, digest, outcome);
                model.add(number, key, digest, outcome);
                underWay.add(outcome);
            } else if (kind < 700) {
                partition.restore(
                        new KeyedPut(new TopicPartition(new TopicId(1, 1), 0), key, digest, step, 3, 4),
                        Durability.MEMORY);
                model.add(
                        number,
                        key,
                        digest,
                        CompletableFuture.completedFuture(new AppendResult(step, 3, 4, Durability.MEMORY)));
            } else if (kind < 980 && !underWay.isEmpty()) {
                CompletableFuture<AppendResult> outcome = underWay.remove(random.nextInt(underWay.size()));
                if (random.nextInt(5) == 0) {
                    outcome.completeExceptionally(new IllegalStateException("not stored"));
                } else {
                    outcome.complete(new AppendResult(step, random.nextInt(), -step, Durability.DISK));
                }
            } else if (kind < 998) {
                time.advance(Duration.ofSeconds(random.nextInt(40)));
            } else {
                partition.clear();
                model.clear(number);
            }
            model.check(number, partition, key, digest);
            assertThat(all.count()).as("step %d", step).isEqualTo(model.count());
        }
    }

    @Test
    void boundThatNoArrayHoldsIsRefused() {
        assertThatThrownBy(() -> new RecentPutsConfig(Duration.ofSeconds(60), 100, 100_000_001))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("idempotency.max-total may be 100000000 at most: 100000001");
    }

    @Test
    void clearedPartitionTakesNothingOfTheSharedBound() {
        puts.add(key("a"), 1, stored());
        puts.clear();

        assertThat(table.count()).isEqualTo(0);
        assertThat(puts.size()).isZero();
    }
}
