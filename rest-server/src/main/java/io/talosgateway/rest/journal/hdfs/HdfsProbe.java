package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

import io.talosgateway.rest.journal.JournalStorage;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to HDFS as a gateway does, and answers questions that a gateway does not ask. Directories that were made for it are
 * deleted when it is closed, unless somebody else has put something there. Methods block; for one thread.
 */
public final class HdfsProbe implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(HdfsProbe.class);

    private final FileSystem files;
    private final JournalStorage storage;
    private final Path root;
    /** The lowest first. */
    private final Deque<Path> made;

    private HdfsProbe(FileSystem files, JournalStorage storage, Path root, Deque<Path> made) {
        this.files = files;
        this.storage = storage;
        this.root = root;
        this.made = made;
    }

    /**
     * Logs in and connects, within the time that is configured for it.
     *
     * @param config of a root on HDFS
     * @throws IOException with a sentence for the operator if the storage cannot be used
     */
    public static HdfsProbe open(StorageConfig config) throws IOException {
        Configuration hadoop = HdfsJournalStorage.configuration(config);
        return HdfsJournalStorage.connected(config, hadoop, user -> connect(config, hadoop, user));
    }

    private static HdfsProbe connect(StorageConfig config, Configuration hadoop, @Nullable KerberosUser user)
            throws IOException {
        Path root = new Path(config.root());
        FileSystem files = null;
        try {
            files = HdfsJournalStorage.newFileSystem(config, hadoop, user);
            if (files instanceof DistributedFileSystem hdfs && hdfs.isInSafeMode()) {
                throw new IOException("Name node is in safe mode");
            }
            Deque<Path> missing = missing(files, root);
            return new HdfsProbe(files, HdfsJournalStorage.connect(config, hadoop, user), root, missing);
        } catch (IOException | RuntimeException e) {
            if (files != null) {
                files.close();
            }
            if (user != null) {
                user.close();
            }
            throw e;
        }
    }

    private static Deque<Path> missing(FileSystem files, Path root) throws IOException {
        Deque<Path> missing = new ArrayDeque<>();
        for (Path next = root; next != null && !exists(files, next); next = next.getParent()) {
            missing.addLast(next);
        }
        return missing;
    }

    private static boolean exists(FileSystem files, Path path) throws IOException {
        return StorageErrors.call(() -> files.exists(path));
    }

    /** What a gateway would use. */
    public JournalStorage storage() {
        return storage;
    }

    /** When a file was created, or closed, by the clock of the NameNode, in milliseconds since 1970. */
    public long modifiedAtMs(String name) throws IOException {
        return StorageErrors.call(
                () -> files.getFileStatus(new Path(root, name)).getModificationTime());
    }

    /** How many copies the files of the gateway have. */
    public int wantedReplicas() {
        return files.getDefaultReplication(root);
    }

    /** DataNodes that the NameNode hears; -1 if it tells that its superuser only. */
    public int liveDataNodes() throws IOException {
        if (!(files instanceof DistributedFileSystem hdfs)) {
            return -1;
        }
        try {
            return StorageErrors.call(() -> hdfs.getDataNodeStats(DatanodeReportType.LIVE)).length;
        } catch (AccessControlException e) {
            return -1;
        }
    }

    @Override
    public void close() throws IOException {
        try {
            for (Path directory : made) {
                StorageErrors.run(() -> files.delete(directory, false));
            }
        } catch (IOException e) {
            log.debug("Somebody uses {} by now", root, e);
        } finally {
            files.close();
            storage.close();
        }
    }
}
