package io.talosgateway.rest.message;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

final class PartitionerTest {

    @Test
    void shortKeysAreAllOfPartition0AsInTheSdks() {
        for (int number = 0; number < 10; number++) {
            assertThat(Partitioner.partitionFor("k" + number, 8)).isZero();
        }
    }

    /** As in the SDK's SimplePartitioner: (hash and 0x7fffffff) / (0x7fffffff / n) % n. */
    @Test
    void longKeysAreSpread() {
        assertThat(Partitioner.partitionFor("a-much-longer-key", 8))
                .isEqualTo(("a-much-longer-key".hashCode() & 0x7fffffff) / (0x7fffffff / 8) % 8);
        assertThat(java.util.stream.IntStream.range(0, 1000)
                        .map(number -> Partitioner.partitionFor("a-much-longer-key-" + number * 7919, 8))
                        .distinct()
                        .count())
                .isEqualTo(8);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 256, 1000})
    void partitionIsAlwaysOneThatThereIs(int partitions) {
        for (int number = 0; number < 1000; number++) {
            assertThat(Partitioner.partitionFor("key-" + number * 104_729, partitions))
                    .isBetween(0, partitions - 1);
        }
        // Its hash code is Integer.MIN_VALUE.
        assertThat(Partitioner.partitionFor("polygenelubricants", partitions)).isBetween(0, partitions - 1);
    }
}
