package io.talosgateway.rest.message;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class BodyArraysTest {

    private final BodyArrays arrays = new BodyArrays(10_000);

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2_047, 2_048, 2_049, 10_320, 66_048, 66_049, 1 << 20})
    void arrayHasRoomAndLittleMore(int length) {
        assertThat(arrays.take(length).length).isBetween(length, length + 511);
    }

    @Test
    void arrayIsGivenForALengthThatItHasRoomFor() {
        byte[] given = arrays.take(3_000);
        arrays.give(given);

        assertThat(arrays.take(2_500)).isNotSameAs(given);
        assertThat(arrays.take(3_073)).isNotSameAs(given);
        assertThat(arrays.take(2_561)).isSameAs(given);
        assertThat(arrays.take(3_000)).isNotSameAs(given);
    }

    @Test
    void lastOneGivenIsTakenFirst() {
        byte[] first = arrays.take(3_000);
        byte[] second = arrays.take(3_000);
        arrays.give(first);
        arrays.give(second);

        assertThat(arrays.take(3_000)).isSameAs(second);
        assertThat(arrays.take(3_000)).isSameAs(first);
    }

    /** Nor do they drive out others. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1_536, 10_240, 66_560})
    void smallAndLargeArraysAreNotKept(int length) {
        byte[] kept = arrays.take(9_728);
        byte[] other = new byte[length];
        arrays.give(kept);
        arrays.give(other);
        new BodyArrays(1 << 20).give(other);

        assertThat(arrays.take(length)).isNotSameAs(other);
        assertThat(arrays.take(9_728)).isSameAs(kept);
    }

    @Test
    void arraysThatAreInUseDoNotCount() {
        byte[] busy = arrays.take(6_144);
        byte[] kept = arrays.take(2_048);
        arrays.give(kept);
        for (int time = 0; time < 3; time++) {
            arrays.give(busy);
            assertThat(arrays.take(6_144)).isSameAs(busy);
        }

        assertThat(arrays.take(2_048)).isSameAs(kept);
    }

    @Test
    void forgetsAllWhenItIsFull() {
        byte[] old = arrays.take(5_120);
        byte[] last = arrays.take(5_632);
        byte[] next = arrays.take(4_096);
        arrays.give(old);
        arrays.give(last);
        arrays.give(next);

        assertThat(arrays.take(5_120)).isNotSameAs(old);
        assertThat(arrays.take(5_632)).isSameAs(last);
        assertThat(arrays.take(4_096)).isSameAs(next);
    }
}
