package io.talosgateway.scheduler;

/**
 * How much may be queued in an executor. What runs does not count.
 *
 * @param perKey for tasks of one key
 * @param perWorker for tasks that are bound to one worker
 * @param total for all tasks
 */
public record QueueLimits(Limit perKey, Limit perWorker, Limit total) {

    /**
     * A bound in number and bytes. A task always fits into an empty queue, however large it is.
     *
     * @param tasks most tasks
     * @param bytes most bytes that they hold together
     */
    public record Limit(int tasks, long bytes) {

        /** No bound but that of the type. */
        public static final Limit NONE = new Limit(Integer.MAX_VALUE, Long.MAX_VALUE);

        public Limit {
            if (tasks <= 0 || bytes <= 0) {
                throw new IllegalArgumentException("a limit is positive: " + tasks + " tasks, " + bytes + " bytes");
            }
        }

        boolean hasRoom(int queuedTasks, long queuedBytes, long moreBytes) {
            return queuedTasks < tasks && (queuedTasks == 0 || moreBytes <= bytes - queuedBytes);
        }
    }

    /** Bounds in number only. */
    public static QueueLimits ofTasks(int perKey, int total) {
        return new QueueLimits(new Limit(perKey, Long.MAX_VALUE), Limit.NONE, new Limit(total, Long.MAX_VALUE));
    }
}
