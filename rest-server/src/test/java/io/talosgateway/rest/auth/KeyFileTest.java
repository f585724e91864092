package io.talosgateway.rest.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class KeyFileTest {

    private final AtomicLong nowMs = new AtomicLong(1_000);
    private final InstantSource clock = () -> Instant.ofEpochMilli(nowMs.get());

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("keys/keys.json");
    }

    @Test
    void createdKeyIsFoundAndOnlyItsOwnerCanReadTheFile() throws IOException {
        AccessKey created = KeyFile.create(file(), "alice", true, clock);

        KeyFile keys = new KeyFile(file(), clock);
        keys.load();

        assertThat(keys.find(created.id())).isEqualTo(created);
        assertThat(keys.find("other")).isNull();
        assertThat(created.id()).startsWith("TG").doesNotContain(":");
        assertThat(created.secret()).hasSize(40);
        assertThat(created.toString()).doesNotContain(created.secret());
        assertThat(permissions(file())).isEqualTo("rw-------");
        assertThat(permissions(directory.resolve("keys/keys.json.lock"))).isEqualTo("rw-------");
        assertThat(permissions(file().getParent())).isEqualTo("rwx------");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void everythingOfAKeyIsKept() throws IOException {
        KeyScope scope = KeyScope.of(List.of("get", "describe"), List.of("orders-*", "bills"));
        AccessKey limited = KeyFile.add(
                file(),
                new NewKey("alice", "CLbilling", false, new KeySettings(scope, true, 5_000L, "Alice's laptop")),
                clock);
        AccessKey rotated = KeyFile.change(file(), limited.id(), key -> key.rotated(NewKey.newSecret(), 9_000));
        AccessKey plain = KeyFile.create(file(), null, true, clock);

        assertThat(KeyFile.read(file())).containsExactly(rotated, plain);
        assertThat(rotated.settings()).isEqualTo(limited.settings());
        assertThat(rotated.replaced()).isEqualTo(new AccessKey.ReplacedSecret(limited.secret(), 9_000));
        assertThat(rotated.organization()).isEqualTo("CLbilling");
        assertThat(rotated.toString()).doesNotContain(rotated.secret()).doesNotContain(limited.secret());
        assertThat(rotated.replaced().toString()).doesNotContain(limited.secret());
    }

    @Test
    void fileOfAnEarlierBuildIsRead() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(
                file(),
                "{\"keys\":[{\"id\":\"i\",\"secret\":\"s\",\"owner\":\"o\",\"admin\":true,\"createdAtMs\":7}]}");

        assertThat(KeyFile.read(file())).containsExactly(new AccessKey("i", "s", "o", null, true, 7));
    }

    @Test
    void changedKeyIsSeenByARunningGateway() throws IOException {
        AccessKey key = KeyFile.create(file(), "alice", false, clock);
        KeyFile keys = new KeyFile(file(), clock);
        keys.load();

        KeyFile.change(file(), key.id(), k -> k.with(k.settings().withDisabled(true)));
        nowMs.addAndGet(1_000);
        assertThat(keys.find(key.id()).settings().disabled()).isTrue();
        KeyFile.delete(file(), key.id());
        nowMs.addAndGet(1_000);
        assertThat(keys.all()).isEmpty();
        assertThatThrownBy(() -> KeyFile.delete(file(), key.id()))
                .isInstanceOf(IOException.class)
                .hasMessage("There is no key '%s' in %s".formatted(key.id(), file()));
    }

    @Test
    void brokenFileIsSaidUntilItIsRepaired() throws IOException {
        AccessKey key = KeyFile.create(file(), "alice", false, clock);
        String content = Files.readString(file());
        KeyFile keys = new KeyFile(file(), clock);
        keys.load();
        assertThat(keys.whyBroken()).isNull();

        Files.writeString(file(), "{\"keys\": [{");
        nowMs.addAndGet(1_000);
        assertThat(keys.whyBroken()).contains("is not a key file");
        assertThat(keys.find(key.id())).isEqualTo(key);
        Files.writeString(file(), content + "\n");
        nowMs.addAndGet(1_000);
        assertThat(keys.whyBroken()).isNull();
    }

    @Test
    void keyWithoutOwnerOwnsItself() throws IOException {
        AccessKey created = KeyFile.create(file(), null, false, clock);

        assertThat(created.owner()).isEqualTo(created.id());
    }

    @Test
    void addedKeyWorksAtOnceAndARemovedOneASecondLongerAtMost() throws IOException {
        KeyFile keys = new KeyFile(file(), clock);
        keys.load();
        assertThat(keys.find("any")).isNull();
        AccessKey added = KeyFile.create(file(), "alice", false, clock);
        assertThat(keys.find(added.id())).isEqualTo(added);

        Files.writeString(file(), "{\"keys\":[]}");
        nowMs.addAndGet(1_000);
        assertThat(keys.find(added.id())).isNull();
    }

    @Test
    void removedFileRemovesTheKeysAndADamagedOneDoesNot() throws IOException {
        AccessKey key = KeyFile.create(file(), "alice", false, clock);
        KeyFile keys = new KeyFile(file(), clock);
        keys.load();

        Files.writeString(file(), "{\"keys\": [{");
        nowMs.addAndGet(1_000);
        assertThat(keys.find(key.id())).isEqualTo(key);
        Files.delete(file());
        nowMs.addAndGet(1_000);
        assertThat(keys.find(key.id())).isNull();
    }

    @Test
    void fileThatHoldsSomethingElseIsRefusedByName() throws IOException {
        Files.createDirectories(file().getParent());
        for (String content : List.of(
                "",
                "[]",
                "{}",
                "null",
                "{\"keys\":[null]}",
                "{\"keys\":[{\"id\":\"x\"}]}",
                "null",
                "{\"keys\":[null]}",
                "{\"keys\":[{\"id\":\"x\",\"secret\":\"\",\"owner\":\"o\"}]}",
                "{\"keys\":[{\"id\":\"x\",\"secret\":\"s\",\"owner\":\"o\",\"expiresAt\":1}]}",
                "{\"keys\":[{\"id\":\"x\",\"secret\":\"s\",\"owner\":\"o\",\"permissions\":[\"read\"]}]}",
                "{\"keys\":[{\"id\":\"x\",\"secret\":\"s\",\"owner\":\"o\",\"topics\":[]}]}",
                "{\"keys\":[{\"id\":\"x\",\"secret\":\"s\",\"owner\":\"o\",\"previousSecret\":\"p\"}]}",
                "not json")) {
            Files.writeString(file(), content);
            assertThatThrownBy(() -> new KeyFile(file(), clock).load())
                    .as(content)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(file() + " is not a key file");
        }
    }

    @Test
    void refusalNamesThePlaceAndNoSecret() throws IOException {
        Files.createDirectories(file().getParent());
        Files.writeString(file(), "{\"keys\":[{\"id\":\"x\",\n\"secret\":TopSecret}]}");

        assertThatThrownBy(() -> new KeyFile(file(), clock).load())
                .isInstanceOf(IOException.class)
                .hasMessage(file() + " is not a key file: it is wrong at line 2, column 10");
    }

    @Test
    void keysMadeAtOnceAreAllKept() throws Exception {
        int makers = 8;
        ExecutorService threads = Executors.newFixedThreadPool(makers);
        List<Callable<AccessKey>> tasks = new ArrayList<>();
        for (int maker = 0; maker < makers; maker++) {
            tasks.add(() -> KeyFile.create(file(), null, false, clock));
        }
        List<AccessKey> made = new ArrayList<>();
        for (Future<AccessKey> future : threads.invokeAll(tasks)) {
            made.add(future.get());
        }
        threads.shutdown();

        assertThat(KeyFile.read(file())).containsExactlyInAnyOrderElementsOf(made);
    }
}
