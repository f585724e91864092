package io.talosgateway.rest.message;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

final class IdempotencyKeyTest {

    @Test
    void keyIsThePrincipalsOwn() {
        IdempotencyKey ofAlice = IdempotencyKey.of("alice", "order-1", true);

        assertThat(IdempotencyKey.of("alice", "order-1", true)).isEqualTo(ofAlice);
        assertThat(List.of(
                        ofAlice.value(),
                        IdempotencyKey.of("bob", "order-1", true).value(),
                        IdempotencyKey.of("alice", "order-2", true).value(),
                        IdempotencyKey.of("aliceo", "rder-1", true).value(),
                        IdempotencyKey.of("1:alice", "order-1", true).value()))
                .doesNotHaveDuplicates();
    }

    @Test
    void lengthIsThatOfADigestWhateverIsSent() {
        String longest = "k".repeat(IdempotencyKey.MAX_LENGTH);
        assertThat(IdempotencyKey.of("p".repeat(10_000), longest, true).value()).hasSize(22);
        assertThat(IdempotencyKey.of("", "k", true).value()).hasSize(22);
        assertThatIllegalArgumentException().isThrownBy(() -> IdempotencyKey.of("alice", "", true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotencyKey.of("alice", longest + "k", true))
                .withMessageContaining("257");
    }
}
