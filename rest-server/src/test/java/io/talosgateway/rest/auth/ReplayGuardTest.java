package io.talosgateway.rest.auth;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ReplayGuardTest {

    private static final long START = 1_000_000;
    private static final int MOST = 10;

    private long nowSecond = START;
    private final ReplayGuard guard =
            new ReplayGuard(Duration.ofMinutes(15), MOST, () -> Instant.ofEpochSecond(nowSecond));

    private static String signature(long number) {
        byte[] bytes = ByteBuffer.allocate(20).putLong(number).array();
        return Base64.getEncoder().encodeToString(bytes);
    }

    private Runnable accept(String key, long number, long second) {
        return guard.accept(key, signature(number), second);
    }

    private void assertRefused(String key, long number, long second, ErrorCode code) {
        assertThatThrownBy(() -> accept(key, number, second))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(code));
    }

    @Test
    void signatureIsAcceptedOnceWhileItIsValid() {
        accept("a", 1, START);
        assertRefused("a", 1, START, ErrorCode.REPLAYED);
        accept("a", 2, START);
        accept("b", 1, START);
        // Ahead of this host's clock: valid for twice as long.
        accept("a", 3, START + 900);
        nowSecond = START + 1_800;
        accept("c", 4, nowSecond);
        assertRefused("a", 3, START + 900, ErrorCode.REPLAYED);
        assertThat(guard.remembered()).isEqualTo(2);
        nowSecond++;
        accept("c", 5, nowSecond);
        assertThat(guard.remembered()).isEqualTo(2);
    }

    @Test
    void changeThatWasNotMadeMayBeSentAgain() {
        Runnable notMade = accept("a", 1, START);
        notMade.run();
        assertThat(guard.remembered()).isZero();
        accept("a", 1, START);
        assertRefused("a", 1, START, ErrorCode.REPLAYED);
        // Of the first, which is over.
        notMade.run();
        accept("a", 2, START);
    }

    @Test
    void whatWasSignedBeforeTheStartIsRefused() {
        assertRefused("a", 1, START - 1, ErrorCode.CLOCK_SKEWED);
        accept("a", 1, START);
    }

    @Test
    void fullMemoryForgetsTheOldestOfTheLargestKeyAndAcceptsThemNoMore() {
        accept("small", 1, START);
        for (int second = 0; second < MOST; second++) {
            accept("large", second, START + second);
        }
        assertThat(guard.remembered()).isEqualTo(MOST);
        assertRefused("large", 0, START, ErrorCode.CLOCK_SKEWED);
        assertRefused("large", 77, START, ErrorCode.CLOCK_SKEWED);
        assertRefused("large", 1, START + 1, ErrorCode.REPLAYED);
        assertRefused("small", 1, START, ErrorCode.REPLAYED);
        accept("small", 2, START);
    }

    @Test
    void keyThatSignsTheFutureHarmsItselfOnly() {
        for (int number = 0; number < 10 * MOST; number++) {
            try {
                accept("evil", number, START + 900);
            } catch (GatewayException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.CLOCK_SKEWED);
            }
        }
        accept("good", 1, START);
        assertRefused("good", 1, START, ErrorCode.REPLAYED);
        assertThat(guard.remembered()).isLessThanOrEqualTo(MOST);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void nothingIsAcceptedTwiceWhateverHappens(long seed) {
        Random random = new Random(seed);
        Set<String> accepted = new HashSet<>();
        for (int step = 0; step < 20_000; step++) {
            nowSecond += random.nextInt(50) == 0 ? random.nextInt(400) : 0;
            String key = "key-" + random.nextInt(4);
            long second = nowSecond - 900 + random.nextInt(1_801);
            long number = random.nextInt(3);
            try {
                Runnable notMade = accept(key, number, second);
                assertThat(accepted.add(key + " " + number + " " + second))
                        .as("seed %d, step %d", seed, step)
                        .isTrue();
                if (random.nextInt(4) == 0) {
                    notMade.run();
                    accepted.remove(key + " " + number + " " + second);
                }
            } catch (GatewayException e) {
                assertThat(e.code()).isIn(ErrorCode.REPLAYED, ErrorCode.CLOCK_SKEWED);
            }
            assertThat(guard.remembered()).isLessThanOrEqualTo(MOST);
        }
        assertThat(accepted).hasSizeGreaterThan(100);
    }
}
