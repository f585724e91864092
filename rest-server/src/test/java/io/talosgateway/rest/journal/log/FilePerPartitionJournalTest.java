package io.talosgateway.rest.journal.log;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.Await;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.errors.ErrorCode;
import io.talosgateway.rest.errors.GatewayException;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.lane.AppendResult;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.scheduler.Deadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What is different when each partition has files of its own; faults in general: see the simulation. */
final class FilePerPartitionJournalTest {

    private final InMemoryJournalStorage memory = new InMemoryJournalStorage();
    private JournalFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new JournalFixture(
                memory,
                JournalFixture.config(JournalLayout.FILE_PER_PARTITION, DataSize.ofKiB(64), DataSize.ofMiB(1)),
                Duration.ofDays(1));
        fixture.open(0, 1, 2);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void putIsStoredWhenTheAppendReturns() throws Exception {
        for (int put = 0; put < 3; put++) {
            fixture.log(1).append(JournalFixture.batch("m" + put), null, Durability.DISK, Deadline.NONE);
            assertThat(fixture.log(1).durableOffset()).isEqualTo(put + 1);
        }
        assertThat(fixture.readAll(1)).containsExactly("0:m0", "1:m1", "2:m2");
    }

    @Test
    void eachPartitionHasItsFiles() throws Exception {
        fixture.put(0, "a");
        fixture.put(1, "b");
        fixture.put(1, "c");

        assertThat(fixture.metric("files_total", "event", "created")).isEqualTo(2);
    }

    @Test
    void messagesSurviveRestartAndCrash() throws Exception {
        fixture.put(0, "m0");
        fixture.put(2, "other");
        fixture.restart();
        fixture.put(0, "m1");
        memory.crash();
        fixture.crash();

        assertThat(fixture.readAll(0)).containsExactly("0:m0", "1:m1");
        assertThat(fixture.readAll(2)).containsExactly("0:other");
    }

    @Test
    void failedSyncIsRepeatedInANewFile() throws Exception {
        fixture.storage.syncsToFail.set(1);

        assertThat(fixture.put(0, "m0").firstOffset()).isZero();

        assertThat(fixture.readAll(0)).containsExactly("0:m0");
    }

    @Test
    void partitionWhoseFileCannotBeWrittenIsRefusedAndOthersGoOn() throws Exception {
        fixture.put(1, "before");
        fixture.storage.createsToFail.set(Integer.MAX_VALUE);

        CompletableFuture<AppendResult> failed = fixture.putAsync(0, "lost");

        assertThatThrownBy(() -> fixture.putAsync(0, "refused"))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE));
        assertThat(fixture.put(1, "meanwhile").firstOffset()).isEqualTo(1);
        assertThat(failed).failsWithin(Duration.ofMinutes(2));
        fixture.storage.heal();
        Await.until(() -> isWritten("again"));
        assertThat(fixture.readAll(0)).containsExactly("0:again");
    }

    /** The lane tries again by itself, soon. */
    private boolean isWritten(String message) throws Exception {
        try {
            fixture.put(0, message);
            return true;
        } catch (GatewayException e) {
            return false;
        }
    }

    @Test
    void partitionThatIsServedNoMoreTakesNothing() throws Exception {
        fixture.put(0, "m0");
        fixture.journal.close(fixture.log(0));

        assertThatThrownBy(() -> fixture.putAsync(0, "late"))
                .isInstanceOfSatisfying(
                        GatewayException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PARTITION_MOVING));
    }
}
