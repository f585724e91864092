package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.talosgateway.loadgen.process.Directories;
import org.jspecify.annotations.Nullable;

/** The folder of a cluster. It holds keys, so others cannot read it. */
record ClusterFolder(Path path) {

    static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final String STATE = "cluster.json";
    private static final String LOCK = "lock";
    private static final List<String> CONTENT = List.of(
            "data", "logs", "conf", "programs", "keys.json", "keys.json.lock", "curl.conf", "cluster.properties");
    private static final long LOCK_TIMEOUT_MS = 10_000;
    private static final long LOCK_POLL_MS = 50;

    /** What starts processes of the cluster, or ends them for good. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    Path data(Host host) {
        return path.resolve("data").resolve(host.name());
    }

    /** Says by how much the clock of a gateway is off. */
    Path clockShift(Host gateway) {
        return configuration(gateway).resolve("clock-shift");
    }

    Path configuration(Host host) {
        return path.resolve("conf").resolve(host.name());
    }

    Path logs() {
        return path.resolve("logs");
    }

    Path log(Host host) {
        return logs().resolve(host.name() + ".log");
    }

    Path programs() {
        return path.resolve("programs");
    }

    /** {@code conf} and {@code lib} with what HDFS needs beyond a gateway's libraries. */
    Path hostPrograms() {
        return programs().resolve("hosts");
    }

    Path gatewayProgram() {
        return programs().resolve("talos-gateway");
    }

    Path keyFile() {
        return path.resolve("keys.json");
    }

    Path curlFile() {
        return path.resolve("curl.conf");
    }

    Path propertiesFile() {
        return path.resolve("cluster.properties");
    }

    /** The cluster that the folder holds, or null if it holds none. */
    @Nullable
    RunningCluster read() throws IOException {
        Path file = path.resolve(STATE);
        try {
            return JSON.readValue(Files.readAllBytes(file), RunningCluster.class);
        } catch (NoSuchFileException e) {
            return null;
        } catch (JsonProcessingException e) {
            throw new ClusterFailure(
                    "%s cannot be read (%s). End the cluster's processes by hand, and remove the folder"
                            .formatted(file, e.getOriginalMessage()),
                    e);
        }
    }

    /** @throws ClusterFailure if there is none */
    RunningCluster readExisting() throws IOException {
        RunningCluster cluster = read();
        if (cluster == null) {
            throw new ClusterFailure("There is no cluster in %s; 'local-cluster.sh up' makes one".formatted(path));
        }
        return cluster;
    }

    void write(RunningCluster cluster) throws IOException {
        writeSecret(path.resolve(STATE), JSON.writeValueAsString(cluster));
    }

    /** Writes a whole file at once, readable by its owner only. */
    static void writeSecret(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.deleteIfExists(temporary);
        Files.createFile(temporary, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(temporary, text);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Makes the folder, unless it is there; refuses one that holds other things. */
    void create() throws IOException {
        refuseName();
        if (Files.exists(path) && !Files.isDirectory(path)) {
            throw new ClusterFailure("%s is not a folder; name another one with --dir".formatted(path));
        }
        if (!Files.exists(path)) {
            Files.createDirectories(path.toAbsolutePath().getParent());
            Files.createDirectory(
                    path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        }
        if (!Files.exists(path.resolve(STATE))) {
            refuseForeignFiles();
        }
    }

    /** HDFS takes the folder of a DataNode for a URI twice, and Java parts a class path at colons. */
    private void refuseName() {
        String name = path.toString();
        String encoded = path.toUri().getRawPath();
        if (name.contains(":") || !(encoded.equals(name) || encoded.equals(name + "/"))) {
            throw new ClusterFailure(
                    ("A cluster cannot be in '%s': HDFS does not cope with blanks and the like in the path. "
                                    + "Name another folder with --dir")
                            .formatted(path));
        }
    }

    private void refuseForeignFiles() throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (!name.equals(LOCK) && !name.equals(STATE + ".tmp")) {
                    throw new ClusterFailure(
                            "%s holds other things (%s), and no cluster; name another folder with --dir"
                                    .formatted(path, name));
                }
            }
        }
    }

    /** Deletes what belongs to the cluster, the memory of it last, so that it can be repeated. */
    void delete() throws IOException {
        for (String name : CONTENT) {
            Directories.delete(path.resolve(name));
        }
        Files.deleteIfExists(path.resolve(STATE));
        Files.deleteIfExists(path.resolve(LOCK));
        try (DirectoryStream<Path> rest = Files.newDirectoryStream(path)) {
            if (rest.iterator().hasNext()) {
                return;
            }
        }
        Files.delete(path);
    }

    /** @throws ClusterFailure if another command is at work for long */
    void locked(Work work) throws IOException, InterruptedException {
        Path file = path.resolve(LOCK);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            long deadlineAtNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LOCK_TIMEOUT_MS);
            while (channel.tryLock() == null) {
                if (System.nanoTime() - deadlineAtNanos > 0) {
                    throw new ClusterFailure("Another 'up' or 'down' is at work in %s; wait for it".formatted(path));
                }
                TimeUnit.MILLISECONDS.sleep(LOCK_POLL_MS);
            }
            if (!Files.exists(file)) {
                throw new ClusterFailure("The cluster in %s was just deleted; try again".formatted(path));
            }
            work.run();
        }
    }
}
