package io.talosgateway.rest.journal.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class LocalRootLockTest {

    @TempDir
    Path directory;

    @Test
    void directoriesThatWereMadeForTheRootAreForced() throws IOException {
        Path root = directory.resolve("a/b/root");
        List<Path> forced = new ArrayList<>();

        LocalRootLock.acquire(root, forced::add).release();

        assertThat(forced).startsWith(root, directory.resolve("a/b"), directory.resolve("a"), directory);
    }

    @Test
    void whereOthersMadeDirectoriesForcingThemIsNotNeeded() throws IOException {
        Path root = Files.createDirectories(directory.resolve("root"));

        LocalRootLock.acquire(root, forced -> {
                    if (!forced.equals(root)) {
                        throw new IOException("not here");
                    }
                })
                .release();
    }

    @Test
    void rootWhoseParentCannotBeForcedIsNotUsed() {
        Path root = directory.resolve("a/root");

        assertThatThrownBy(() -> LocalRootLock.acquire(root, forced -> {
                    if (forced.equals(directory)) {
                        throw new IOException("disk is broken");
                    }
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("disk is broken");
    }
}
