package io.talosgateway.localcluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ClusterFolderTest {

    @TempDir
    private Path directory;

    private ClusterFolder folder;

    @BeforeEach
    void name() {
        folder = new ClusterFolder(directory.resolve("new/cluster"));
    }

    @Test
    void clusterIsRememberedAndOthersCannotReadIt() throws Exception {
        RunningCluster cluster = Clusters.of(2, 1, Map.of("journal.lanes", "2"));
        folder.create();
        folder.write(cluster);

        assertThat(folder.read()).isEqualTo(cluster);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())))
                .isEqualTo("rwx------");
    }

    @Test
    void noClusterIsToldAsSuch() throws Exception {
        assertThat(folder.read()).isNull();
        assertThatThrownBy(folder::readExisting)
                .isInstanceOf(ClusterFailure.class)
                .hasMessage("There is no cluster in %s; 'local-cluster.sh up' makes one".formatted(folder.path()));
    }

    @Test
    void folderWithOtherThingsIsRefused() throws Exception {
        folder.create();
        Files.writeString(folder.path().resolve("thesis.txt"), "years of work");

        assertThatThrownBy(folder::create)
                .isInstanceOf(ClusterFailure.class)
                .hasMessage("%s holds other things (thesis.txt), and no cluster; name another folder with --dir"
                        .formatted(folder.path()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"my cluster", "100%", "a:b", "what?", "50%20"})
    void pathThatHdfsDoesNotCopeWithIsRefused(String name) {
        assertThatThrownBy(new ClusterFolder(directory.resolve(name))::create)
                .isInstanceOf(ClusterFailure.class)
                .hasMessageStartingWith("A cluster cannot be in '%s'".formatted(directory.resolve(name)));
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void folderThatAnEarlierUpOnlyBeganIsTaken() throws Exception {
        folder.create();
        folder.locked(() -> {});

        folder.create();

        assertThat(folder.read()).isNull();
    }

    @Test
    void damagedMemoryIsToldAsSuch() throws Exception {
        folder.create();
        Files.writeString(folder.path().resolve("cluster.json"), "{\"id\":");

        assertThatThrownBy(folder::read)
                .isInstanceOf(ClusterFailure.class)
                .hasMessageContaining("cluster.json cannot be read");
    }

    @Test
    void onlyWhatBelongsToTheClusterIsDeleted() throws Exception {
        folder.create();
        folder.write(Clusters.of(1, 1, Map.of()));
        Files.createDirectories(folder.data(Host.NAMENODE).resolve("name"));
        Path notes = folder.path().resolve("notes.txt");
        Files.writeString(notes, "mine");

        folder.locked(folder::delete);

        assertThat(folder.path().toFile().list()).containsExactly("notes.txt");
    }

    @Test
    void folderOfItsOwnGoes() throws Exception {
        folder.create();
        folder.write(Clusters.of(1, 1, Map.of()));
        folder.locked(folder::delete);

        assertThat(folder.path()).doesNotExist();
    }
}
