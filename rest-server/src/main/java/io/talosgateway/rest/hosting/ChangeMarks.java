package io.talosgateway.rest.hosting;

import java.io.IOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.talosgateway.rest.coordination.OwnershipRecords;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.wire.message.ByteSlice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that ZooKeeper was set back to an earlier state, such as a backup ({@code docs/decisions/0029-restored-zookeeper.md}).
 * ZooKeeper counts the changes of ownership records. The storage has a mark for a count that ZooKeeper had, and nothing is done
 * because of a change before a mark is there that is not below it. So a ZooKeeper that has counted less than a mark lacks
 * changes that count. Safe for use by any thread; blocks.
 */
final class ChangeMarks {

    /** Below the root of the storage, besides the journals. */
    static final String DIRECTORY = "ownership-changes";

    private static final Logger log = LoggerFactory.getLogger(ChangeMarks.class);
    /** A count, and the host that has made the mark. */
    private static final Pattern NAME = Pattern.compile("(\\d{10})-(.+)");

    private final JournalStorage storage;
    private final OwnershipRecords records;
    private final String host;
    private volatile Runnable restored = () -> {};

    private record Mark(int changes, String host) {

        String path() {
            return "%s/%010d-%s".formatted(DIRECTORY, Integer.toUnsignedLong(changes), host);
        }
    }

    ChangeMarks(JournalStorage storage, OwnershipRecords records, String host) {
        this.storage = storage;
        this.records = records;
        this.host = host;
    }

    /** Has {@code listener} called, on any thread, each time it is noticed that ZooKeeper was set back. */
    void onRestored(Runnable listener) {
        restored = listener;
    }

    /**
     * Makes sure that ZooKeeper was not set back, and will not be unnoticed to a state before what was read from it up to now.
     *
     * @throws GatewayException {@code COORDINATION_RESTORED} if it was set back; {@code COORDINATION_UNAVAILABLE} or {@code
     *     STORAGE_UNAVAILABLE} if that cannot be told
     */
    void confirm() {
        try {
            // First: ZooKeeper has counted at least as much since, unless it was set back.
            List<Mark> marks = marks();
            int counted = records.changes();
            // Without a mark, nothing is proven.
            int marked = marks.stream()
                    .map(Mark::changes)
                    .reduce((one, other) -> isBelow(one, other) ? other : one)
                    .orElse(counted);
            if (isBelow(counted, marked)) {
                restored.run();
                throw new GatewayException(
                        ErrorCode.COORDINATION_RESTORED,
                        ("ZooKeeper was set back to an earlier state: it has counted %d changes of ownership records, and the storage "
                                        + "%s knows of %d. This host serves nothing and deletes nothing, because messages would be lost and "
                                        + "offsets given out twice. Give ZooKeeper its newest data back; then this host goes on by itself.")
                                .formatted(
                                        Integer.toUnsignedLong(counted),
                                        storage.location(),
                                        Integer.toUnsignedLong(marked)));
            }
            if (counted != marked || marks.isEmpty()) {
                storage.createWhole(new Mark(counted, host).path(), ByteSlice.EMPTY);
                deleteOwn(marks);
            }
        } catch (IOException e) {
            throw new GatewayException(
                    ErrorCode.STORAGE_UNAVAILABLE,
                    "Marks of ownership changes cannot be read or written in " + storage.location() + " ("
                            + e.getMessage() + "); try again shortly.",
                    e);
        }
    }

    private List<Mark> marks() throws IOException {
        return storage.list(DIRECTORY).stream()
                .map(file -> NAME.matcher(file.name()))
                .filter(Matcher::matches)
                .map(name -> new Mark(Integer.parseUnsignedInt(name.group(1)), name.group(2)))
                .toList();
    }

    /** As serial numbers of RFC 1982: ZooKeeper counts in 32 bits, and begins again after the highest. */
    private static boolean isBelow(int count, int other) {
        return count - other < 0;
    }

    /** There is a higher one now. */
    private void deleteOwn(List<Mark> marks) {
        for (Mark mark : marks) {
            if (mark.host.equals(host)) {
                try {
                    storage.delete(mark.path());
                } catch (IOException e) {
                    log.debug("{} stays until the next one is made", mark.path(), e);
                }
            }
        }
    }
}
