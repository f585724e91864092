package io.talosgateway.rest.journal.lane;

import java.util.Map;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

final class LaneStateTest {

    /** Nobody takes puts again once another incarnation has fenced the journal, and nothing follows the end. */
    private static final Map<LaneState, Set<LaneState>> LEGAL = Map.of(
            LaneState.OPEN, Set.of(LaneState.BROKEN, LaneState.FENCED, LaneState.ENDED),
            LaneState.BROKEN, Set.of(LaneState.OPEN, LaneState.BROKEN, LaneState.FENCED, LaneState.ENDED),
            LaneState.FENCED, Set.of(LaneState.ENDED),
            LaneState.ENDED, Set.of());

    @ParameterizedTest
    @EnumSource
    void onlyLegalMovesAreMade(LaneState from) {
        for (LaneState next : LaneState.values()) {
            if (LEGAL.get(from).contains(next)) {
                assertThat(from.to(next)).isEqualTo(next);
            } else {
                assertThatIllegalStateException().isThrownBy(() -> from.to(next));
            }
        }
    }
}
