package io.talosgateway.benchmarks.scaling;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import com.google.common.collect.ListMultimap;
import com.google.common.collect.Lists;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.Multimaps;
import io.talosgateway.rest.coordination.OwnershipRecord;
import io.talosgateway.rest.coordination.OwnershipRecord.JournalReference;
import io.talosgateway.rest.coordination.OwnershipRecords.Change;
import io.talosgateway.rest.coordination.zookeeper.OwnershipTransactions;
import io.talosgateway.rest.hosting.HostedPartitions;
import io.talosgateway.rest.topic.OwnerEpoch;
import io.talosgateway.rest.topic.TopicMetadata;

/**
 * The records of all partitions as they become while partitions move: a journal more with each move, because nothing is out of
 * its retention meanwhile. For one thread.
 */
final class OwnershipState {

    /** As those of a partition that has been written for a while. */
    private static final long OFFSET = 123_456_789;

    private static final long BYTES = 123_456_789_012L;

    private final TopicSet topics;
    /** By topic and partition. */
    private final short[][] journals;

    /** Partitions that changed hands, counted each time. */
    long moved;
    /** Those that belonged to a host that was gone, or went to one that was new: no placement could do with less. */
    long needed;
    /** Those of hosts that were still there, which had to release them. */
    long released;
    /** Most that one host got at once. */
    int most;

    /** A partition that changes hands. */
    private record Move(int topic, int partition, String from) {}

    OwnershipState(TopicSet topics) {
        this.topics = topics;
        journals = new short[topics.topics().size()][];
        for (int topic = 0; topic < journals.length; topic++) {
            journals[topic] = new short[topics.topics().get(topic).partitions()];
            Arrays.fill(journals[topic], (short) 1);
        }
    }

    /** Counts what the hosts read and write when one assignment follows another, and remembers that they did. */
    void move(Assignment before, Assignment after, Set<String> alive, ZooKeeperUse use) {
        ListMultimap<String, Move> received = received(before, after);
        ListMultimap<String, Change> given =
                MultimapBuilder.treeKeys().arrayListValues().build();
        Multimaps.asMap(received).forEach((receiver, moves) -> {
            most = Math.max(most, moves.size());
            for (List<Move> batch : Lists.partition(moves, HostedPartitions.TAKE_OVER_BATCH)) {
                List<Change> taken = batch.stream()
                        .map(move -> change(move, move.from, true))
                        .toList();
                OwnershipTransactions.divide(taken).forEach(part -> use.read(part.size(), bytes(part)));
                for (Move move : batch) {
                    if (alive.contains(move.from)) {
                        given.put(move.from, change(move, move.from, true));
                    }
                    journals[move.topic][move.partition]++;
                }
                write(batch.stream().map(move -> change(move, receiver, false)).toList(), use);
            }
        });
        Multimaps.asMap(given).values().forEach(changes -> write(changes, use));
        moved += received.size();
        released += given.size();
    }

    /** What each host gets. */
    private ListMultimap<String, Move> received(Assignment before, Assignment after) {
        ListMultimap<String, Move> received =
                MultimapBuilder.treeKeys().arrayListValues().build();
        for (int topic = 0; topic < journals.length; topic++) {
            List<String> from = before.owners(topics.topics().get(topic));
            List<String> to = after.owners(topics.topics().get(topic));
            for (int partition = 0; partition < from.size(); partition++) {
                if (!from.get(partition).equals(to.get(partition))) {
                    received.put(to.get(partition), new Move(topic, partition, from.get(partition)));
                    boolean stays = after.hosts().contains(from.get(partition));
                    needed += stays && before.hosts().contains(to.get(partition)) ? 0 : 1;
                }
            }
        }
        return received;
    }

    private static void write(List<Change> changes, ZooKeeperUse use) {
        OwnershipTransactions.divide(changes).forEach(part -> use.write(part.size(), bytes(part)));
    }

    private static long bytes(List<OwnershipTransactions.Encoded> part) {
        return part.stream().mapToLong(encoded -> encoded.data().length()).sum();
    }

    private Change change(Move move, String owner, boolean isReleased) {
        int count = journals[move.topic][move.partition];
        TopicMetadata topic = topics.topics().get(move.topic);
        return new Change(topic.partition(move.partition), count, record(owner, count, isReleased));
    }

    private static OwnershipRecord record(String owner, int journals, boolean isReleased) {
        OwnerEpoch epoch = new OwnerEpoch(journals);
        List<JournalReference> references =
                Collections.nCopies(journals, new JournalReference(owner, journals, epoch, OFFSET, BYTES));
        return new OwnershipRecord(owner, journals, epoch, references, OFFSET, OFFSET, BYTES, isReleased);
    }

    /** Bytes of all records. */
    long bytes() {
        long[] bytes = new long[Short.MAX_VALUE];
        long total = 0;
        for (int topic = 0; topic < journals.length; topic++) {
            for (int partition = 0; partition < journals[topic].length; partition++) {
                int count = journals[topic][partition];
                if (bytes[count] == 0) {
                    Change change = change(new Move(topic, partition, ""), Scenario.hostName(0), false);
                    bytes[count] =
                            bytes(OwnershipTransactions.divide(List.of(change)).get(0));
                }
                total += bytes[count];
            }
        }
        return total;
    }

    /** Most journals that hold messages of one partition. */
    int mostJournals() {
        int count = 0;
        for (short[] topic : journals) {
            for (short partition : topic) {
                count = Math.max(count, partition);
            }
        }
        return count;
    }
}
