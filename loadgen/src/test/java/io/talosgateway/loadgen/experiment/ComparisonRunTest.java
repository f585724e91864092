package io.talosgateway.loadgen.experiment;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ComparisonRunTest {

    private static final List<Trial> TRIALS = Stream.of("one", "two")
            .flatMap(load -> Stream.of("a", "b", "c").map(variant -> Samples.trial(load, variant)))
            .toList();

    private static List<String> names(int round) {
        return ComparisonRun.order(TRIALS, round).stream()
                .map(trial -> trial.load() + trial.variant())
                .toList();
    }

    @Test
    void eachRoundBeginsWithTheNextVariantOfEachLoad() {
        assertThat(names(1)).containsExactly("onea", "oneb", "onec", "twoa", "twob", "twoc");
        assertThat(names(2)).containsExactly("oneb", "onec", "onea", "twob", "twoc", "twoa");
        assertThat(names(3)).containsExactly("onec", "onea", "oneb", "twoc", "twoa", "twob");
        assertThat(names(4)).isEqualTo(names(1));
    }

    @Test
    void variantsOfALoadStayTogetherAlsoIfTheyAreListedApart() {
        List<Trial> mixed = List.of(Samples.trial("one", "a"), Samples.trial("two", "a"), Samples.trial("one", "b"));

        assertThat(ComparisonRun.order(mixed, 1)).extracting(Trial::text).containsExactly("a, one", "b, one", "a, two");
    }
}
