package io.talosgateway.loadgen.content;

import java.util.HashSet;
import java.util.Set;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.plan.Plans;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class BodiesTest {

    @Test
    void producerGoesThroughAllBodies() {
        Bodies bodies = Bodies.of(Plans.content(Format.JSON, "100B:1,200B:1", 4, MessageCompression.NONE), 1 << 20);

        Set<Integer> slots = new HashSet<>();
        for (int put = 0; put < bodies.count(); put++) {
            slots.add(bodies.slot(3, put));
        }
        assertThat(slots).hasSize(bodies.count());
        assertThat(bodies.slot(0, 0)).isNotEqualTo(bodies.slot(1, 0));
    }

    @Test
    void bodiesThatAreAlikeAreFewerIfMemoryIsScarce() {
        Content content = Plans.content(Format.THRIFT, "100KiB", 1, MessageCompression.NONE);

        assertThat(Bodies.of(content, 100 << 20).count()).isEqualTo(16);
        assertThat(Bodies.of(content, 500 << 10).count()).isEqualTo(4);
    }

    @Test
    void bodiesThatDoNotFitIntoMemoryAreRefused() {
        Content content = Plans.content(Format.THRIFT, "1MiB", 100, MessageCompression.NONE);

        assertThatThrownBy(() -> Bodies.of(content, 50 << 20))
                .isInstanceOf(LoadFailure.class)
                .hasMessageStartingWith("The bodies to put would take 12");
    }
}
