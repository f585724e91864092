package io.talosgateway.loadgen.plan;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ProcessShareTest {

    private static String of(int process, int client) {
        ProcessShare.Place place = new ProcessShare(process, 3).place(List.of("a", "b"), 3, client);
        return place.topic() + place.partition();
    }

    @Test
    void clientsGoThroughThePartitionsOfOneTopicAfterAnother() {
        assertThat(List.of(0, 1, 2, 3, 5, 6))
                .extracting(client -> of(0, client))
                .containsExactly("a0", "a1", "a2", "b0", "b2", "a0");
    }

    @Test
    void eachProcessBeginsWithTheNextTopic() {
        assertThat(List.of(0, 1, 2)).extracting(process -> of(process, 1)).containsExactly("a1", "b1", "a1");
        assertThat(of(1, 3)).isEqualTo("a0");
    }
}
