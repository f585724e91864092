package io.talosgateway.scheduler;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/** The rules of a pool once more, in the simplest words: what {@link KeyedThreadPoolLincheckTest} compares it with. */
public final class SequentialPool {

    static final int TASKS = 6;
    static final int WORKERS = 2;
    static final int MAX_OF_KEY = 1;
    static final int MAX_TOTAL = 3;
    static final int MAX_BYPASSES = 1;

    private static final int KEYS = 3;
    private static final int NONE = -1;

    /** Numbers of tasks, the oldest first. */
    private final List<Integer> queued = new ArrayList<>();

    private final int[] bypassesOfKey = new int[KEYS];
    private final int[] runningKeyAt = {NONE, NONE};
    /** Found nothing to do, and was not woken up since. */
    private final boolean[] waiting = new boolean[WORKERS];

    private final boolean[] lent = new boolean[WORKERS];

    /** Not the least-loaded worker: the choice and the queueing are two steps, between which the loads may change. */
    static final PlacementPolicy PLACEMENT = (key, loads) -> workerOf((Integer) key);

    private static int workerOf(int key) {
        return key % WORKERS;
    }

    static int keyOf(int task) {
        return task % KEYS;
    }

    static Priority priorityOf(int task) {
        return task % 2 == 0 ? Priority.NORMAL : Priority.CONTROL;
    }

    public String submit0() {
        return submit(0);
    }

    public String submit1() {
        return submit(1);
    }

    public String submit2() {
        return submit(2);
    }

    public String submit3() {
        return submit(3);
    }

    public String submit4() {
        return submit(4);
    }

    public String submit5() {
        return submit(5);
    }

    private String submit(int task) {
        int key = keyOf(task);
        long ofKey = queued.stream().filter(other -> keyOf(other) == key).count();
        if (ofKey == MAX_OF_KEY) {
            return "KEY_FULL";
        }
        if (queued.size() == MAX_TOTAL) {
            return "EXECUTOR_FULL";
        }
        if (ofKey == 0 && !isRunning(key)) {
            bypassesOfKey[key] = 0;
        }
        queued.add(task);
        wakeUp(workerOf(key));
        return "taken";
    }

    private void wakeUp(int worker) {
        if (!lent[worker]) {
            waiting[worker] = false;
        }
    }

    public boolean lendForKey0() {
        return lend(0);
    }

    public boolean lendForKey1() {
        return lend(1);
    }

    public boolean lendForKey2() {
        return lend(2);
    }

    private boolean lend(int key) {
        int worker = workerOf(key);
        boolean lends = waiting[worker] && !lent[worker] && !isRunning(key);
        if (lends) {
            lent[worker] = true;
            runningKeyAt[worker] = key;
        }
        return lends;
    }

    public void giveBack0() {
        giveBack(0);
    }

    public void giveBack1() {
        giveBack(1);
    }

    private void giveBack(int worker) {
        if (lent[worker]) {
            lent[worker] = false;
            runningKeyAt[worker] = NONE;
            if (queued.stream().anyMatch(task -> workerOf(keyOf(task)) == worker)) {
                wakeUp(worker);
            }
        }
    }

    public List<Integer> expire0() {
        return expire(0);
    }

    public List<Integer> expire1() {
        return expire(1);
    }

    private List<Integer> expire(int worker) {
        List<Integer> expired = queued.stream()
                .filter(task -> workerOf(keyOf(task)) == worker)
                .sorted()
                .toList();
        queued.removeAll(expired);
        return expired;
    }

    public @Nullable Integer next0() {
        return next(0);
    }

    public @Nullable Integer next1() {
        return next(1);
    }

    private @Nullable Integer next(int worker) {
        if (lent[worker]) {
            return null;
        }
        runningKeyAt[worker] = NONE;
        Integer control = oldestReady(worker, Priority.CONTROL);
        Integer normal = oldestReady(worker, Priority.NORMAL);
        boolean passesOver = control != null && normal != null && bypassesOfKey[keyOf(normal)] < MAX_BYPASSES;
        if (passesOver) {
            bypassesOfKey[keyOf(normal)]++;
        }
        Integer next = control != null && (normal == null || passesOver) ? control : normal;
        waiting[worker] = next == null;
        if (next != null) {
            bypassesOfKey[keyOf(next)] = 0;
            queued.remove(next);
            runningKeyAt[worker] = keyOf(next);
        }
        return next;
    }

    /** Of the tasks that are the oldest of their key. */
    private @Nullable Integer oldestReady(int worker, Priority priority) {
        for (int task : queued) {
            int key = keyOf(task);
            int oldestOfKey = queued.stream()
                    .filter(other -> keyOf(other) == key)
                    .findFirst()
                    .orElseThrow();
            if (task == oldestOfKey && workerOf(key) == worker && !isRunning(key) && priorityOf(task) == priority) {
                return task;
            }
        }
        return null;
    }

    private boolean isRunning(int key) {
        return runningKeyAt[0] == key || runningKeyAt[1] == key;
    }
}
