package io.talosgateway.rest.http.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * What a client wants to see of a list.
 *
 * @param limit most entries
 * @param after the {@code next} of the page before; null for the first page
 */
record Paging(int limit, @Nullable String after) {

    /** The parameters of the query. */
    static final Set<String> PARAMETERS = Set.of("limit", "after");

    /** Most entries of an answer. */
    static final int MAX_PAGE = 1_000;

    static Paging of(RestCall call) {
        return new Paging(Math.min(MAX_PAGE, call.intParameter("limit", MAX_PAGE, 1)), call.queryParameter("after"));
    }

    /**
     * A page.
     *
     * @param next its last entry, if there are more behind it
     */
    record Page<T>(List<T> entries, @Nullable T next) {}

    /**
     * The page of a list that is there as a whole.
     *
     * @param isBehind whether an entry is behind {@link #after}; of entries in order, the last ones are
     */
    <T> Page<T> of(Iterable<T> all, Predicate<T> isBehind) {
        List<T> entries = new ArrayList<>();
        for (T entry : all) {
            if (isBehind.test(entry)) {
                if (entries.size() == limit) {
                    return new Page<>(entries, entries.get(limit - 1));
                }
                entries.add(entry);
            }
        }
        return new Page<>(entries, null);
    }
}
