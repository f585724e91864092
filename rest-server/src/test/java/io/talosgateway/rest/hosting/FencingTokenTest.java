package io.talosgateway.rest.hosting;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

final class FencingTokenTest {

    private boolean isOwned = true;
    private final FencingToken token = new FencingToken(null, this::requireOwned);

    private void requireOwned() {
        if (!isOwned) {
            throw new GatewayException(ErrorCode.PARTITION_MOVING, "moved");
        }
    }

    private static GatewayException failureOf(ThrowingCallable call) {
        return catchThrowableOfType(GatewayException.class, call);
    }

    private static void assertFenced(@Nullable String by, ThrowingCallable call) {
        GatewayException failure = failureOf(call);
        assertThat(failure.code()).isEqualTo(ErrorCode.FENCED);
        assertThat(failure.fencingToken()).isEqualTo(by);
    }

    private static void assertMoving(ThrowingCallable call) {
        assertThat(failureOf(call).code()).isEqualTo(ErrorCode.PARTITION_MOVING);
    }

    private void change(String to, @Nullable String from) {
        assertThat(token.beginChange(to, from)).isCompleted();
        token.changed(to);
    }

    @Test
    void onlyPutsWithTheTokenAreTaken() {
        assertFenced(null, () -> token.begin("a"));
        change("a", null);
        token.begin("a");
        assertFenced("a", () -> token.begin("b"));
    }

    @Test
    void tokenIsReplacedByWhoKnowsIt() {
        assertFenced(null, () -> token.beginChange("a", "x"));
        change("a", null);
        assertFenced("a", () -> token.beginChange("b", null));
        assertFenced("a", () -> token.beginChange("b", "x"));
        change("b", "a");
        assertThat(token.current()).isEqualTo("b");
        assertThat(token.beginChange("b", "a")).as("a repeat").isNull();
        assertFenced("b", () -> token.begin("a"));
    }

    /** Or a put of the former writer could be stored after the new one has read where the partition ends. */
    @Test
    void changeWaitsForThePutsTakenBefore() {
        change("a", null);
        token.begin("a");
        token.begin("a");
        CompletableFuture<Void> settled = token.beginChange("b", "a");
        assertThat(settled).isNotDone();
        assertMoving(() -> token.begin("a"));
        assertMoving(() -> token.begin("b"));
        assertMoving(() -> token.beginChange("c", "a"));
        token.decided();
        assertThat(settled).isNotDone();
        token.decided();
        assertThat(settled).isCompleted();
        assertMoving(() -> token.begin("a"));
        assertMoving(() -> token.begin("b"));
        token.changed("b");
        token.begin("b");
    }

    @Test
    void whoMayHaveLostThePartitionTellsNobodyOfTheToken() {
        change("a", null);
        isOwned = false;
        assertMoving(() -> token.begin("b"));
        assertMoving(() -> token.beginChange("a", null));
        assertMoving(() -> token.beginChange("b", "x"));
    }
}
