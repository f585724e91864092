package io.talosgateway.rest.topic;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

final class TopicPatternTest {

    private static boolean matches(String pattern, String name) {
        return new TopicPattern(pattern).matcher().test(new TopicName(name));
    }

    @ParameterizedTest
    @CsvSource({
        "orders, orders, true",
        "orders, orders-eu, false",
        "orders, my-orders, false",
        "orders.*, orders-eu, true",
        ".*, anything, true",
        "(eu|us)-log_[0-9]+, us-log_17, true",
        "(eu|us)-log_[0-9]+, cn-log_17, false",
        "^a.c$, abc, true",
        "(?i)ORDERS, orders, true",
        "Orders, orders, false",
        "eu|us-log, us-log, true",
        "eu|us-log, eu-log, false"
    })
    void nameMatchesAsAWhole(String pattern, String name, boolean expected) {
        assertThat(matches(pattern, name)).isEqualTo(expected);
    }

    /** Java's own matcher, which goes back, takes more than seconds for each of these, and cannot be stopped. */
    @ParameterizedTest
    @ValueSource(strings = {"((a+)+)+b", "(a+?)+?b", "(?:(?:a|aa)+a?)+b", "(a?a)+?b", "(aa|a)*?b", "a*a*a*a*a*a*a*a*b"})
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noPatternTakesLong(String pattern) {
        assertThat(matches(pattern, "a".repeat(80))).isFalse();
        assertThat(matches(pattern, "a".repeat(79) + "b")).isTrue();
    }

    /** The most work that a pattern of this length can make: every place of it is alive at every character. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyNamesAreComparedWithTheWorstPattern() {
        var matcher = new TopicPattern("(a*)".repeat(24) + "b").matcher();
        TopicName name = new TopicName("a".repeat(80));
        for (int number = 0; number < 1_000; number++) {
            assertThat(matcher.test(name)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "(", "[a", "a**", "*a", "(?=a)b", "(a)\\1", "(?<!a)b", "\\"})
    void whatIsNoExpressionOfRe2IsRefused(String pattern) {
        assertThatIllegalArgumentException().isThrownBy(() -> new TopicPattern(pattern));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a{2}", "((a{1000}){1000}){1000}", "\\p{L}"})
    void countsAreRefusedBecauseTheyMultiply(String pattern) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TopicPattern(pattern))
                .withMessageContaining("'{'");
    }

    @Test
    void longPatternIsRefused() {
        assertThat(new TopicPattern("a".repeat(TopicPattern.MAX_LENGTH)).text()).hasSize(100);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TopicPattern("a".repeat(TopicPattern.MAX_LENGTH + 1)))
                .withMessageContaining("1 to 100 characters, not 101");
    }
}
