package io.talosgateway.loadgen.content;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

final class SizesTest {

    private static double mean(List<Integer> sizes) {
        return sizes.stream().mapToInt(Integer::intValue).average().orElseThrow();
    }

    @Test
    void oneSizeIsAlwaysTheSame() {
        Sizes sizes = Sizes.parse("10KiB");

        assertThat(sizes.isFixed()).isTrue();
        assertThat(sizes.mean()).isEqualTo(10_240);
        assertThat(sizes.take(3, 1)).containsExactly(10_240, 10_240, 10_240);
    }

    @Test
    void sizesWithWeightsAreAsOftenAsTheyWeigh() {
        Sizes sizes = Sizes.parse("100B:70,10KiB:25,1MiB:5");
        List<Integer> taken = sizes.take(200, 1);

        assertThat(taken.stream().filter(size -> size == 100)).hasSize(140);
        assertThat(taken.stream().filter(size -> size == 10_240)).hasSize(50);
        assertThat(taken.stream().filter(size -> size == 1_048_576)).hasSize(10);
        assertThat(sizes.mean()).isCloseTo(mean(taken), within(0.001));
    }

    @Test
    void sameSeedGivesTheSameOrder() {
        Sizes sizes = Sizes.parse("1B:1,10B:1,100B:1");

        assertThat(sizes.take(50, 3)).isEqualTo(sizes.take(50, 3)).isNotEqualTo(sizes.take(50, 4));
    }

    @Test
    void whatIsNoSizeIsExplained() {
        assertThatThrownBy(() -> Sizes.parse("4B-9B")).hasMessageContaining("'4B-9B' is not a size");
        assertThatThrownBy(() -> Sizes.parse("1B:x")).hasMessageContaining("'x' is not a weight");
        assertThatThrownBy(() -> Sizes.parse("1B:0")).hasMessageContaining("'0' is not a weight");
        assertThatThrownBy(() -> Sizes.parse("1B,2B")).hasMessageContaining("'1B' has no weight");
        assertThatThrownBy(() -> Sizes.parse("big")).hasMessageContaining("'big' is not a size");
    }
}
