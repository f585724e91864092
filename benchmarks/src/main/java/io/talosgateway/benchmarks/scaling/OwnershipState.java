package io.talosgateway.benchmarks.scaling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.google.common.collect.Lists;
import io.talosgateway.benchmarks.scaling.Moves.Move;
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
    private final short[][] journals;

    OwnershipState(TopicSet topics) {
        this.topics = topics;
        journals = new short[topics.topics().size()][];
        for (int topic = 0; topic < journals.length; topic++) {
            journals[topic] = new short[topics.topics().get(topic).partitions()];
            Arrays.fill(journals[topic], (short) 1);
        }
    }

    /** Counts what the hosts read and write when partitions change hands, and remembers that they did. */
    void move(Moves moves, Collection<Integer> alive, ZooKeeperUse use) {
        Map<Integer, List<Change>> released = new TreeMap<>();
        moves.byReceiver().forEach((receiver, received) -> {
            for (List<Move> batch : Lists.partition(received, HostedPartitions.TAKE_OVER_BATCH)) {
                List<Change> before = batch.stream()
                        .map(move -> change(move, move.from(), true))
                        .toList();
                OwnershipTransactions.divide(before).forEach(part -> use.read(part.size(), bytes(part)));
                for (Move move : batch) {
                    if (alive.contains(move.from())) {
                        released.computeIfAbsent(move.from(), giver -> new ArrayList<>())
                                .add(change(move, move.from(), true));
                    }
                    journals[move.topic()][move.partition()]++;
                }
                write(batch.stream().map(move -> change(move, receiver, false)).toList(), use);
            }
        });
        released.values().forEach(changes -> write(changes, use));
    }

    private static void write(List<Change> changes, ZooKeeperUse use) {
        OwnershipTransactions.divide(changes).forEach(part -> use.write(part.size(), bytes(part)));
    }

    private static long bytes(List<OwnershipTransactions.Encoded> part) {
        return part.stream().mapToLong(encoded -> encoded.data().length()).sum();
    }

    private Change change(Move move, int owner, boolean released) {
        int count = journals[move.topic()][move.partition()];
        List<JournalReference> references = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            references.add(new JournalReference(HostNames.of(owner), count, new OwnerEpoch(count), OFFSET, BYTES));
        }
        TopicMetadata topic = topics.topics().get(move.topic());
        return new Change(
                topic.partition(move.partition()),
                count,
                new OwnershipRecord(
                        HostNames.of(owner),
                        count,
                        new OwnerEpoch(count),
                        references,
                        OFFSET,
                        OFFSET,
                        BYTES,
                        released));
    }

    /** Bytes of all records. */
    long bytes() {
        long[] bytes = new long[Short.MAX_VALUE];
        long total = 0;
        for (int topic = 0; topic < journals.length; topic++) {
            for (int partition = 0; partition < journals[topic].length; partition++) {
                int count = journals[topic][partition];
                if (bytes[count] == 0) {
                    Change change = change(new Move(topic, partition, 0, 0), 0, false);
                    bytes[count] = OwnershipTransactions.divide(List.of(change))
                            .get(0)
                            .get(0)
                            .data()
                            .length();
                }
                total += bytes[count];
            }
        }
        return total;
    }

    /** Most journals that hold messages of one partition. */
    int mostJournals() {
        int most = 0;
        for (short[] topic : journals) {
            for (short count : topic) {
                most = Math.max(most, count);
            }
        }
        return most;
    }
}
