package io.talosgateway.rest.http.rest;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.auth.KeyAdmin.Source;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.http.rest.Paging.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class PagingTest {

    private static Page<Integer> page(int limit, int after, List<Integer> all) {
        return new Paging(limit, null).of(all, entry -> entry > after);
    }

    @Test
    void pagesTogetherAreTheList() {
        List<Integer> all = List.of(1, 2, 3, 5, 8, 13);
        for (int limit = 1; limit <= 7; limit++) {
            List<Integer> seen = new ArrayList<>();
            Integer next = 0;
            while (next != null) {
                Page<Integer> page = page(limit, next, all);
                assertThat(page.entries().size()).isLessThanOrEqualTo(limit);
                seen.addAll(page.entries());
                next = page.next();
            }
            assertThat(seen).as("limit %d", limit).isEqualTo(all);
        }
    }

    /** Else a client would ask for an empty page, or not at all. */
    @Test
    void thereIsANextPageOnlyIfItHasEntries() {
        assertThat(page(2, 0, List.of(1, 2)).next()).isNull();
        assertThat(page(2, 0, List.of(1, 2, 3)).next()).isEqualTo(2);
        assertThat(page(2, 0, List.of()).next()).isNull();
        assertThat(page(2, 9, List.of(1, 2, 3)).entries()).isEmpty();
    }

    /** What comes next does not depend on whether the entry in front of it is still there. */
    @Test
    void anEntryThatIsDeletedBetweenPagesHidesNoOther() {
        assertThat(page(2, 2, List.of(1, 3, 4)).entries()).containsExactly(3, 4);
    }

    @Test
    void keysAreInOrderOfSourceTimeAndId() {
        List<KeyCursor> order = List.of(
                new KeyCursor(Source.FILE, 9, "b"),
                new KeyCursor(Source.CLUSTER, 0, "z"),
                new KeyCursor(Source.CLUSTER, 5, "a"),
                new KeyCursor(Source.CLUSTER, 5, "a.b"),
                new KeyCursor(Source.CLUSTER, 10, "a"));
        assertThat(order).isSorted();
        assertThat(order)
                .allSatisfy(cursor -> assertThat(KeyCursor.parse(cursor.text())).isEqualTo(cursor));
        assertThat(order.get(3).text()).isEqualTo("cluster.5.a.b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "file",
                "file.1",
                "file.1.",
                "FILE.1.a",
                "disk.1.a",
                "file.-1.a",
                "file.99999999999999999999.a"
            })
    void otherPlacesInTheListOfKeysAreRefused(String after) {
        assertThatThrownBy(() -> KeyCursor.parse(after))
                .isInstanceOfSatisfying(
                        GatewayException.class,
                        refusal -> assertThat(refusal.code()).isEqualTo(ErrorCode.MALFORMED_REQUEST));
    }
}
