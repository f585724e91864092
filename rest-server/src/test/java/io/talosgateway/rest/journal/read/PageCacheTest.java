package io.talosgateway.rest.journal.read;

import java.util.concurrent.CompletableFuture;

import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class PageCacheTest {

    private static final int PAGE_BYTES = 10_000;

    /** Has room for three pages. */
    private final PageCache<Integer> cache = new PageCache<>(4 * PAGE_BYTES - 1);

    private void read(int number) {
        CompletableFuture<ByteSlice> mine = new CompletableFuture<>();
        assertThat(cache.putIfAbsent(number, mine)).isNull();
        cache.complete(number, mine, new ByteSlice(new byte[PAGE_BYTES]));
        assertThat(mine).isCompleted();
    }

    private boolean holds(int number) {
        CompletableFuture<ByteSlice> mine = new CompletableFuture<>();
        @Nullable CompletableFuture<ByteSlice> held = cache.putIfAbsent(number, mine);
        if (held == null) {
            cache.remove(number, mine);
        }
        return held != null;
    }

    @Test
    void pageThatManyHavePassedMakesRoomForTheNext() {
        for (int number = 0; number < 3; number++) {
            read(number);
            for (int reader = 0; reader < 100; reader++) {
                assertThat(holds(number)).isTrue();
            }
        }

        read(3);

        assertThat(holds(0)).isFalse();
        assertThat(holds(1)).isTrue();
        assertThat(holds(2)).isTrue();
        assertThat(holds(3)).isTrue();
    }

    @Test
    void pageThatWasAskedForStaysLonger() {
        read(0);
        read(1);
        read(2);
        assertThat(holds(0)).isTrue();

        read(3);

        assertThat(holds(0)).isTrue();
        assertThat(holds(1)).isFalse();
    }

    @Test
    void bytesAreBounded() {
        for (int number = 0; number < 1_000; number++) {
            read(number);
            assertThat(cache.bytes()).isLessThan(4 * PAGE_BYTES);
        }
        assertThat(cache.bytes()).isGreaterThan(3 * PAGE_BYTES);

        cache.removeIf(number -> number == 999);
        assertThat(cache.bytes()).isGreaterThan(2 * PAGE_BYTES).isLessThan(3 * PAGE_BYTES);
        cache.removeIf(number -> true);
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void pageThatIsBeingReadIsSharedAndStays() {
        CompletableFuture<ByteSlice> onItsWay = new CompletableFuture<>();
        assertThat(cache.putIfAbsent(7, onItsWay)).isNull();
        for (int number = 100; number < 110; number++) {
            read(number);
        }

        assertThat(cache.putIfAbsent(7, new CompletableFuture<>())).isSameAs(onItsWay);
    }

    @Test
    void pageThatCouldNotBeReadIsReadByTheNext() {
        CompletableFuture<ByteSlice> failed = new CompletableFuture<>();
        assertThat(cache.putIfAbsent(7, failed)).isNull();
        cache.remove(7, failed);
        CompletableFuture<ByteSlice> next = new CompletableFuture<>();
        assertThat(cache.putIfAbsent(7, next)).isNull();

        cache.remove(7, failed);

        assertThat(cache.putIfAbsent(7, new CompletableFuture<>())).isSameAs(next);
    }

    @Test
    void pageThatWasForgottenWhileItWasReadIsNotKept() {
        CompletableFuture<ByteSlice> onItsWay = new CompletableFuture<>();
        assertThat(cache.putIfAbsent(7, onItsWay)).isNull();
        cache.removeIf(number -> true);

        cache.complete(7, onItsWay, new ByteSlice(new byte[PAGE_BYTES]));

        assertThat(onItsWay).isCompleted();
        assertThat(cache.bytes()).isZero();
        assertThat(holds(7)).isFalse();
    }
}
