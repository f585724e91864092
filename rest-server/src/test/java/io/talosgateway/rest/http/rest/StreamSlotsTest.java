package io.talosgateway.rest.http.rest;

import java.util.List;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class StreamSlotsTest {

    private final StreamSlots slots = new StreamSlots(3, 2);

    private void refused(String... names) {
        int before = slots.open();
        assertThatThrownBy(() -> slots.take(List.of(names)))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_STREAMS));
        assertThat(slots.open()).isEqualTo(before);
    }

    @Test
    void aClientHasItsPartAndAllTogetherTheWhole() {
        slots.take(List.of("address a", "key k"));
        slots.take(List.of("address b", "key k"));
        refused("address c", "key k");
        slots.take(List.of("address a"));
        refused("address d");

        slots.giveBack(List.of("address b", "key k"));
        slots.take(List.of("address c", "key k"));
        assertThat(slots.open()).isEqualTo(3);
    }

    /** Else a client that is refused for its key would use up the slots of its address. */
    @Test
    void whoIsRefusedHasTakenNothing() {
        slots.take(List.of("address a", "key k"));
        slots.take(List.of("address b", "key k"));
        refused("address c", "key k");
        refused("address c", "key k");
        slots.giveBack(List.of("address a", "key k"));
        slots.giveBack(List.of("address b", "key k"));

        slots.take(List.of("address c"));
        slots.take(List.of("address c"));
        assertThat(slots.clients()).isEqualTo(1);
    }

    @Test
    void nothingIsRememberedOfClientsWithoutStreams() {
        for (int round = 0; round < 100; round++) {
            List<String> names = List.of("address " + round, "key " + round);
            slots.take(names);
            slots.giveBack(names);
        }
        assertThat(slots.clients()).isZero();
        assertThat(slots.open()).isZero();
    }
}
