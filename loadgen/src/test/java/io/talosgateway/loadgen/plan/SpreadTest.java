package io.talosgateway.loadgen.plan;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class SpreadTest {

    private static String of(Spread spread, int client) {
        Spread.Place place = spread.of(client);
        return place.topic() + place.partition();
    }

    @Test
    void clientsGoThroughThePartitionsOfOneTopicAfterAnother() {
        Spread spread = new Spread(List.of("a", "b"), 3, 0);

        assertThat(List.of(0, 1, 2, 3, 5, 6))
                .extracting(client -> of(spread, client))
                .containsExactly("a0", "a1", "a2", "b0", "b2", "a0");
    }

    @Test
    void eachProcessBeginsWithTheNextTopic() {
        List<String> topics = List.of("a", "b");

        assertThat(List.of(0, 1, 2))
                .extracting(process -> of(new Spread(topics, 3, process), 1))
                .containsExactly("a1", "b1", "a1");
        assertThat(of(new Spread(topics, 3, 1), 3)).isEqualTo("a0");
    }
}
