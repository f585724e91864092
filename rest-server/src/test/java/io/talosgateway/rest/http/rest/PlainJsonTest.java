package io.talosgateway.rest.http.rest;

import io.talosgateway.rest.http.rest.MessageOperations.StoredJson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class PlainJsonTest {

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 9, 10, 99, 100, 1_764_060_000_000L, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void numbersAreWrittenAsJavaDoes(long number) {
        assertThat(new PlainJson(0).number(number).written().utf8()).isEqualTo(Long.toString(number));
    }

    @Test
    void answerToAPutIsThatOfJackson() {
        for (String topic : new String[] {"a", "orders-2_x", "t".repeat(80)}) {
            for (boolean repeat : new boolean[] {true, false}) {
                StoredJson stored =
                        new StoredJson(topic, 7, 123_456_789_012L, 100_000, "memory", repeat, 1_764_060_000_000L);
                assertThat(stored.json()).isEqualTo(Json.write(stored));
                StoredJson longest = new StoredJson(
                        topic, Integer.MAX_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, "disk", repeat, Long.MAX_VALUE);
                assertThat(longest.json()).isEqualTo(Json.write(longest));
            }
        }
    }
}
