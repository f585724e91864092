package io.talosgateway.rest.consumergroup;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.talosgateway.rest.consumergroup.GroupLags.Lag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class GroupLagsTest {

    @Test
    void thoseMostBehindHaveTheirOwnSeriesAndTheOthersShareOne() {
        List<Lag> many = IntStream.range(0, GroupLags.MOST_SERIES + 3)
                .mapToObj(number -> new Lag("g" + number, "t", number))
                .toList();

        List<Lag> bounded = GroupLags.bounded(many);

        assertThat(bounded).hasSize(GroupLags.MOST_SERIES + 1);
        assertThat(bounded.get(0)).isEqualTo(new Lag("g102", "t", 102));
        assertThat(bounded.get(GroupLags.MOST_SERIES)).isEqualTo(new Lag("other", "other", 0 + 1 + 2));
        assertThat(bounded).doesNotContain(new Lag("g2", "t", 2)).contains(new Lag("g3", "t", 3));
    }

    @Test
    void asManyAsAreAllowedHaveTheirOwnSeries() {
        List<Lag> few = Stream.generate(() -> new Lag("g", "t", 1))
                .limit(GroupLags.MOST_SERIES)
                .toList();

        assertThat(GroupLags.bounded(few)).isEqualTo(few);
    }
}
