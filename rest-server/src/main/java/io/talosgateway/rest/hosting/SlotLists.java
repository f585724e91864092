package io.talosgateway.rest.hosting;

import java.util.Arrays;

/**
 * Lists of slots, which are numbers from 0, each list from its oldest to its newest. The links are numbers, too: there is no object
 * for a member. A slot is in one list at most. Not safe for use by several threads.
 */
final class SlotLists {

    /** No slot. */
    static final int NONE = -1;

    private int[] older = {};
    private int[] newer = {};

    /** Where a list begins and ends. */
    static final class Ends {
        private int oldest = NONE;
        private int newest = NONE;
        private int size;

        /** {@link SlotLists#NONE} if the list is empty. */
        int oldest() {
            return oldest;
        }

        int size() {
            return size;
        }
    }

    /** Makes room for slots below {@code slots}. */
    void grow(int slots) {
        older = Arrays.copyOf(older, slots);
        newer = Arrays.copyOf(newer, slots);
    }

    void addNewest(Ends list, int slot) {
        older[slot] = list.newest;
        newer[slot] = NONE;
        if (list.newest == NONE) {
            list.oldest = slot;
        } else {
            newer[list.newest] = slot;
        }
        list.newest = slot;
        list.size++;
    }

    /** @param slot is in the list */
    void remove(Ends list, int slot) {
        int before = older[slot];
        int after = newer[slot];
        if (before == NONE) {
            list.oldest = after;
        } else {
            newer[before] = after;
        }
        if (after == NONE) {
            list.newest = before;
        } else {
            older[after] = before;
        }
        list.size--;
    }

    /** The next newer slot of the same list; {@link #NONE} if there is none. */
    int newerThan(int slot) {
        return newer[slot];
    }
}
