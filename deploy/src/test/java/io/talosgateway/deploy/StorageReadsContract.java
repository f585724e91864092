package io.talosgateway.deploy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import io.talosgateway.client.NewMessage;
import io.talosgateway.client.NewTopic;
import io.talosgateway.client.Position;
import io.talosgateway.client.Stored;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How much of the storage a gateway reads to serve gets, by its metrics. */
abstract class StorageReadsContract extends StorageContract {

    private static final int PARTITIONS = 12;
    private static final int MESSAGES = 240;
    /** Messages by which one partition may be ahead of another. */
    private static final int AHEAD = 20;

    private static final int MESSAGE_BYTES = 10 << 10;
    /** A few messages of each partition. */
    private static final GetOptions SOME = new GetOptions(1_000, 256 << 10, Duration.ZERO);
    /** Bytes read for each byte of the files: pages at the ends of files, and footers, may be read twice. */
    private static final double MOST_READS = 1.3;

    private GatewayClient client;
    private String topic;
    private int topics;

    /** Many files, and caches that hold little of them. */
    @Override
    Map<String, String> settings() {
        return Map.of(
                "journal.file-size", "2MiB",
                "journal.tail-cache-size", "4MiB",
                "journal.read-ahead-cache-size", "8MiB");
    }

    @BeforeEach
    void createTopic() throws Exception {
        client = gateway().client().build();
        topic = "reads-" + topics++;
        client.createTopic(new NewTopic(topic, PARTITIONS)).get();
    }

    private double bytesRead() throws Exception {
        return gateway().metric("talos_journal_storage_read_bytes_total");
    }

    private double reads(String source) throws Exception {
        return gateway().metric("talos_journal_reads_total", "source=\"" + source + "\"");
    }

    private static String text(int partition, long offset) {
        String start = partition + "/" + offset + " ";
        return start + "x".repeat(MESSAGE_BYTES - start.length());
    }

    private CompletableFuture<Stored> put(int partition, int number) {
        return client.put(topic, partition, List.of(NewMessage.of(text(partition, number))));
    }

    private CompletableFuture<Stored> putFrom(int partition, int number, int end) {
        CompletableFuture<Stored> put = put(partition, number);
        return number + 1 == end ? put : put.thenCompose(stored -> putFrom(partition, number + 1, end));
    }

    /**
     * Every partition's writer waits for its answers, and none is far ahead of the others: what readers side by side read next is
     * near together in the files, so that it fits into the cache.
     */
    private void putAll() throws Exception {
        for (int from = 0; from < MESSAGES; from += AHEAD) {
            List<CompletableFuture<Stored>> writers = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                writers.add(putFrom(partition, from, from + AHEAD));
            }
            CompletableFuture.allOf(writers.toArray(CompletableFuture[]::new)).get();
        }
    }

    /** Reads all partitions side by side: some of each, then some more of each. */
    private void readAll() throws Exception {
        long[] next = new long[PARTITIONS];
        boolean more = true;
        while (more) {
            List<CompletableFuture<Messages>> gets = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                gets.add(client.get(topic, partition, Position.offset(next[partition]), SOME));
            }
            more = false;
            for (int partition = 0; partition < PARTITIONS; partition++) {
                Messages messages = gets.get(partition).get();
                next[partition] = checked(partition, next[partition], messages);
                more |= !messages.messages().isEmpty();
            }
        }
        assertThat(next).containsOnly(MESSAGES);
    }

    private static long checked(int partition, long offset, Messages messages) {
        long next = offset;
        for (Message message : messages.messages()) {
            assertThat(message.offset()).isEqualTo(next);
            assertThat(message.text()).isEqualTo(text(partition, next));
            next++;
        }
        return next;
    }

    @Test
    void tailIsReadWithoutStorage() throws Exception {
        double bytesBefore = bytesRead();
        double readsBefore = reads("storage");
        double tailReadsBefore = reads("tail");

        // Several times what the cache holds: what was just put is always in it.
        for (int number = 0; number < MESSAGES / 3; number++) {
            List<CompletableFuture<Stored>> puts = new ArrayList<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                puts.add(put(partition, number));
            }
            for (int partition = 0; partition < PARTITIONS; partition++) {
                puts.get(partition).get();
                Messages tail = client.get(topic, partition, Position.offset(number), SOME)
                        .get();
                assertThat(checked(partition, number, tail)).isEqualTo(number + 1);
            }
        }

        assertThat(reads("tail") - tailReadsBefore).isEqualTo(MESSAGES / 3 * PARTITIONS);
        assertThat(reads("storage") - readsBefore).as("reads of the storage").isZero();
        assertThat(bytesRead() - bytesBefore).as("bytes read of the storage").isZero();
    }

    @Test
    void afterARestartEveryFileIsReadAboutOnce() throws Exception {
        long bytesBefore = storage().journalBytes();
        putAll();
        assertThat(gateway().stop()).isEqualTo(143);
        long bytesOfFiles = storage().journalBytes() - bytesBefore;
        gateway().start();
        double readBefore = bytesRead();

        readAll();

        double read = bytesRead() - readBefore;
        assertThat(read / bytesOfFiles)
                .as("bytes read for each byte of the files")
                .isBetween(0.8, MOST_READS);
    }

    @Test
    void whatDoesNotFitIntoMemoryIsReadAboutOnce() throws Exception {
        double committedBefore = gateway().metric("talos_journal_committed_bytes_total");
        putAll();
        double committed = gateway().metric("talos_journal_committed_bytes_total") - committedBefore;
        double readBefore = bytesRead();

        readAll();

        double read = bytesRead() - readBefore;
        assertThat(read / committed).as("bytes read for each byte that was put").isBetween(0.8, MOST_READS);
    }
}
