package io.talosgateway.rest.hosting;

import java.time.Duration;
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

final class RecentPutsTest {

    private static final AppendResult RESULT = new AppendResult(7, 2, 1_000, Durability.DISK);

    private static final RecentPutsConfig CONFIG = new RecentPutsConfig(Duration.ofSeconds(60), 100, 3);

    private final SteppedTime time = new SteppedTime();
    private final RecentPutsTotal total = new RecentPutsTotal(CONFIG, time);
    private final RecentPuts puts = new RecentPuts(CONFIG, total);

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
        assertThat(total.count()).isEqualTo(0);
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
        assertThat(total.count()).isEqualTo(1);
    }

    @Test
    void oldestIsForgottenWhenThereAreTooMany() {
        RecentPuts few = new RecentPuts(new RecentPutsConfig(Duration.ofSeconds(60), 2, 3), total);
        few.add(key("a"), 1, stored());
        few.add(key("b"), 1, stored());
        few.add(key("c"), 1, stored());

        assertThat(few.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(few.find(key("b"), 1).known()).isEqualTo(Known.REPEAT);
        assertThat(few.size()).isEqualTo(2);
        assertThat(total.count()).isEqualTo(2);
    }

    @Test
    void ofTooManyInAllPartitionsTheOldestIsForgottenWhicheverPartitionHasIt() {
        RecentPuts other = new RecentPuts(CONFIG, total);
        puts.add(key("a"), 1, stored());
        puts.add(key("b"), 1, stored());
        other.add(key("c"), 1, stored());
        other.add(key("d"), 1, stored());

        assertThat(puts.find(key("a"), 1).known()).isEqualTo(Known.NEW);
        assertThat(puts.find(key("b"), 1).known()).isEqualTo(Known.REPEAT);
        assertThat(other.size()).isEqualTo(2);
        assertThat(total.count()).isEqualTo(3);
    }

    @Test
    void whatIsTooOldInAPartitionThatIsIdleIsForgottenToo() {
        RecentPuts busy = new RecentPuts(CONFIG, total);
        puts.add(key("a"), 1, stored());
        time.advance(Duration.ofMillis(60_001));
        busy.add(key("b"), 1, stored());

        assertThat(puts.size()).isZero();
        assertThat(total.count()).isEqualTo(1);
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
        assertThat(total.count()).isEqualTo(2);
    }

    @Test
    void restoredPutsAreBoundedInNumber() {
        for (int number = 0; number < 1_000; number++) {
            puts.restore(earlier("key-" + number, number), Durability.DISK);
        }

        assertThat(puts.size()).isEqualTo(3);
        assertThat(puts.find(key("key-999"), 1).known()).isEqualTo(Known.REPEAT);
    }

    @Test
    void clearedPartitionTakesNothingOfTheSharedBound() {
        puts.add(key("a"), 1, stored());
        puts.clear();

        assertThat(total.count()).isEqualTo(0);
        assertThat(puts.size()).isZero();
    }
}
