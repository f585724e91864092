package io.talosgateway.rest.journal.local;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.AppendFile;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.rest.journal.JournalStorage.StoredFile;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class LocalJournalStorageTest {

    @TempDir
    Path directory;

    private Path root;
    private JournalStorage storage;

    @BeforeEach
    void open() throws IOException {
        root = directory.resolve("root");
        storage = LocalJournalStorage.open(root.toUri());
    }

    @AfterEach
    void close() throws IOException {
        storage.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(ReadFile file, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        return new String(bytes, 0, file.read(position, bytes, 0, length), StandardCharsets.US_ASCII);
    }

    @Test
    void whatWasSyncedIsReadByWhoeverHasTheFileOpen() throws IOException {
        try (AppendFile out = storage.create("a/b/file", 0);
                ReadFile in = storage.open("a/b/file")) {
            out.write(bytes("xone,"), 1, 4);
            assertThat(in.length()).as("it is in the buffer").isZero();
            out.sync(Durability.MEMORY);
            assertThat(text(in, 0, 100)).isEqualTo("one,");
            out.write(bytes("two"), 0, 3);
            out.sync(Durability.DISK);
            assertThat(text(in, 2, 3)).isEqualTo("e,t");
            assertThat(text(in, 7, 3)).isEmpty();
            assertThat(in.length()).isEqualTo(7);
            assertThat(out.replication()).isEqualTo(JournalStorage.Replication.ENOUGH);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root)))
                .isEqualTo("rwx------");
    }

    /** Callers take this exception, and no other, for a file that has been deleted. */
    @Test
    void fileThatIsNotThereIsToldFromOneThatCannotBeRead() throws IOException {
        storage.create("taken", 0).close();

        assertThatThrownBy(() -> storage.open("none")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> storage.force("none/either")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> storage.create("taken", 0))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> storage.open("taken/below"))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(FileNotFoundException.class);
        assertThat(storage.list("none")).isEmpty();
        assertThat(storage.list("taken")).isEmpty();
        storage.delete("none");
    }

    @Test
    void smallFileIsThereAsAWholeAndIsNotReplaced() throws IOException {
        assertThat(storage.createWhole("d/whole", ByteSlice.utf8("first"))).isTrue();
        assertThat(storage.createWhole("d/whole", ByteSlice.utf8("second, longer")))
                .isFalse();

        assertThat(storage.list("d")).containsExactly(new StoredFile("whole", 5, false));
        try (ReadFile file = storage.open("d/whole")) {
            assertThat(text(file, 0, 100)).isEqualTo("first");
        }
        assertThat(storage.list("")).contains(new StoredFile("d", Files.size(root.resolve("d")), true));
    }

    @Test
    void newNamesAreForcedWithTheDirectoriesAbove() throws IOException {
        storage.close();
        List<String> forced = new ArrayList<>();
        storage = LocalJournalStorage.open(root.toUri(), each -> forced.add(names(each)));

        forced.clear();
        storage.create("d/appended", 0).close();
        assertThat(forced).containsExactly("d: appended", "root: LOCK d");
        forced.clear();
        storage.createWhole("d/whole", ByteSlice.utf8("content"));
        assertThat(forced).containsExactly("d: appended", "root: LOCK d", "d: appended whole", "root: LOCK d");
        forced.clear();
        storage.createWhole("d/whole", ByteSlice.utf8("another, which may not have been forced yet"));
        assertThat(forced).containsExactly("d: appended whole", "root: LOCK d", "d: appended whole", "root: LOCK d");
    }

    private static String names(Path each) throws IOException {
        try (Stream<Path> files = Files.list(each)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".tmp"))
                    .sorted()
                    .collect(Collectors.joining(" ", each.getFileName() + ": ", ""));
        }
    }

    @Test
    void fileIsCutAndADirectoryDeletedWithWhatIsInIt() throws IOException {
        storage.createWhole("d/e/file", ByteSlice.utf8("0123456789"));

        assertThat(storage.truncateExclusive("d/e/file", 4)).isTrue();
        assertThat(root.resolve("d/e/file")).content().isEqualTo("0123");
        storage.delete("d");
        assertThat(storage.exists("d")).isFalse();
        assertThat(storage.exists("d/e/file")).isFalse();
    }

    @Test
    void rootIsOfOneAtATime() throws IOException {
        assertThatThrownBy(() -> LocalJournalStorage.open(root.toUri()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in use by another gateway");
        storage.close();
        storage = LocalJournalStorage.open(root.toUri());
    }
}
