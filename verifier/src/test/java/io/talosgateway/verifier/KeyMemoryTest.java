package io.talosgateway.verifier;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Puts are repeated only while a gateway must remember them. */
final class KeyMemoryTest {

    @Test
    void putIsForgottenAfterManyOthersOfItsPartition() {
        KeyMemory keys = new KeyMemory(2);
        long begun = keys.begin(0);
        for (int others = 0; others < 3_999; others++) {
            assertThat(keys.remembers(0, begun)).isTrue();
            keys.begin(0);
        }
        keys.begin(1);
        assertThat(keys.remembers(0, keys.begin(0))).isTrue();

        assertThat(keys.remembers(0, begun)).isFalse();
    }

    @Test
    void manyPartitionsShareWhatIsRemembered() {
        KeyMemory keys = new KeyMemory(1_000);
        long begun = keys.begin(0);
        for (int others = 0; others < 80; others++) {
            keys.begin(0);
        }

        assertThat(keys.remembers(0, begun)).isFalse();
    }
}
