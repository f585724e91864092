package io.talosgateway.rest.journal.recovery;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

import io.prometheus.client.CollectorRegistry;
import io.talosgateway.rest.config.DataSize;
import io.talosgateway.rest.journal.InMemoryJournalStorage;
import io.talosgateway.rest.journal.JournalConfig;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.rest.journal.JournalLayout;
import io.talosgateway.rest.journal.JournalMetrics;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.OwnJournalThreads;
import io.talosgateway.rest.journal.file.FileSealer;
import io.talosgateway.rest.journal.file.FilesAtOnce;
import io.talosgateway.rest.journal.file.IndexHeads;
import io.talosgateway.rest.journal.file.JournalFileId;
import io.talosgateway.rest.journal.log.JournalFixture;
import io.talosgateway.rest.journal.read.JournalReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A journal of three empty files; files of it are deleted while it is taken over. */
final class JournalRecoveryTest {

    private static final JournalId JOURNAL = new JournalId("gw-1", 7);
    private static final int FILES = 3;

    private final InMemoryJournalStorage storage = new InMemoryJournalStorage();

    private static JournalFileId file(int sequence) {
        return new JournalFileId(JOURNAL, "days-0", sequence);
    }

    @BeforeEach
    void write() throws IOException {
        for (int sequence = 0; sequence < FILES; sequence++) {
            storage.create(file(sequence).path(), 0).close();
        }
    }

    private static JournalCatalog recover(JournalStorage storage, IntConsumer progress) throws IOException {
        JournalMetrics metrics = new JournalMetrics(new CollectorRegistry(), () -> 0);
        JournalConfig config = JournalFixture.config(JournalLayout.SHARED_LANES, DataSize.ofMiB(1), DataSize.ofKiB(64));
        FileSealer sealer = new FileSealer(
                storage, new JournalReader(storage, config, metrics)::forgetOpenFile, metrics, new OwnJournalThreads());
        return new JournalRecovery(storage, sealer, new IndexHeads(storage), new FilesAtOnce(Runnable::run), false)
                .recover(JOURNAL, JournalCatalog.EMPTY, progress);
    }

    private int found(JournalCatalog catalog) {
        return catalog.loose().size()
                + catalog.indexed().values().stream()
                        .mapToInt(sequences -> sequences.cardinality())
                        .sum();
    }

    private void delete(int sequence) {
        storage.delete(file(sequence).path());
        storage.delete(file(sequence).detachedFooterPath());
    }

    /** A host that has died starts while another one takes its journal over, and deletes what is out of its retention. */
    @Test
    void anotherTakesItOverAndDeletesAFileMeanwhile() throws IOException {
        JournalCatalog taken = recover(storage, done -> {
            if (done == 1 && !storage.exists(JOURNAL.manifestPath())) {
                try {
                    recover(storage, all -> {});
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                delete(1);
            }
        });

        assertThat(taken.ended()).isTrue();
        assertThat(taken).isEqualTo(recover(storage, done -> {}));
    }

    @Test
    void writerDeletesAFileMeanwhile() throws IOException {
        JournalCatalog taken = recover(storage, done -> {
            if (done == 1) {
                delete(1);
            }
        });

        assertThat(found(taken)).isEqualTo(FILES - 1);
    }

    @Test
    void fileThatIsListedAndIsNotThereIsAnError() {
        JournalStorage lost = (JournalStorage) Proxy.newProxyInstance(
                JournalStorage.class.getClassLoader(),
                new Class<?>[] {JournalStorage.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("openUnchecked")) {
                        throw new FileNotFoundException((String) arguments[0]);
                    }
                    try {
                        return method.invoke(storage, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });

        assertThatThrownBy(() -> recover(lost, done -> {})).isInstanceOf(FileNotFoundException.class);
    }
}
