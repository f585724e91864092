package io.talosgateway.rest.coordination.zookeeper;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.wire.message.ByteSlice;

/** How changes of ownership records are divided among ZooKeeper's transactions. Stateless. */
public final class OwnershipTransactions {

    private static final int MOST_CHANGES = 500;

    /**
     * ZooKeeper cuts the connection of whoever sends more than a megabyte ({@code jute.maxbuffer}). A record has some 200 bytes
     * and 70 more for each journal that still holds messages of its partition, of which there may be dozens.
     */
    private static final int MOST_BYTES = 512 << 10;

    /** One that is larger than this is refused, instead of the connection being cut. */
    private static final int MOST_RECORD_BYTES = 1_000_000;

    private OwnershipTransactions() {}

    /** A change and what its node is going to hold. */
    public record Encoded(Change change, ByteSlice data) {}

    /** The changes in order, divided so that each part can be written at once. */
    public static List<List<Encoded>> divide(List<Change> changes) {
        List<List<Encoded>> parts = new ArrayList<>();
        List<Encoded> part = new ArrayList<>();
        int bytes = 0;
        for (Change change : changes) {
            ByteSlice data = encode(change);
            if (!part.isEmpty() && (part.size() == MOST_CHANGES || bytes + data.length() > MOST_BYTES)) {
                parts.add(part);
                part = new ArrayList<>();
                bytes = 0;
            }
            part.add(new Encoded(change, data));
            bytes += data.length();
        }
        if (!part.isEmpty()) {
            parts.add(part);
        }
        return parts;
    }

    private static ByteSlice encode(Change change) {
        ByteSlice data = new ByteSlice(RecordJson.encode(change.ownership()));
        if (data.length() > MOST_RECORD_BYTES) {
            throw new GatewayException(
                    ErrorCode.COORDINATION_UNAVAILABLE,
                    ("The ownership record of partition %s would have %d bytes, because %d journals hold messages of it; ZooKeeper takes "
                                    + "%d. Lower the retention of its topic until fewer are left.")
                            .formatted(
                                    change.partition(),
                                    data.length(),
                                    change.ownership().journals().size(),
                                    MOST_RECORD_BYTES));
        }
        return data;
    }
}
