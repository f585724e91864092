package io.talosgateway.rest.journal.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.talosgateway.rest.journal.BlockUnavailableException;
import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.StorageFailures;
import io.talosgateway.rest.journal.WholeFile;
import io.talosgateway.rest.topic.Durability;
import io.talosgateway.wire.message.ByteSlice;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FsStatus;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Journal files on HDFS.
 *
 * <p>Files are created with {@code SYNC_BLOCK}, because {@code hsync} forces only the block that is written, so that what lies before a block boundary would not be forced. {@link #fence} is lease recovery. A power cut of all DataNodes can leave
 * checksums of HDFS that are newer than the bytes they are of, so that not even bytes that were forced match them: bytes that no
 * DataNode can give with a checksum are read without. Frames have checksums of their own. A failed check also has HDFS count the
 * copy as lost, and nothing can be forced in a block without copies: {@link #openUnchecked} is for files that are not sealed.
 *
 * <p>Directories and files that are made there are for the gateway's user only, whatever the umask.
 */
public final class HdfsJournalStorage implements JournalStorage {

    /**
     * Over the Hadoop client's defaults, which wait for minutes before they report a failure (up to 27 s before a block without whole
     * copies is read without checksums), make garbage of a packet of 64 KiB with each sync, and ask for the end of a file again only
     * after 400 ms, although the DataNode reports its last block at once; all can be configured.
     */
    private static final Map<String, String> CLIENT_DEFAULTS = Map.of(
            "ipc.client.connect.max.retries", "3",
            "ipc.client.connect.max.retries.on.timeouts", "2",
            "ipc.client.connect.timeout", "5000",
            "ipc.client.rpc-timeout.ms", "20000",
            "dfs.client.socket-timeout", "20000",
            "dfs.client.retry.window.base", "300",
            "dfs.client.write.byte-array-manager.enabled", "true",
            "dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "5",
            // The delay doubles: 10 s in all.
            "dfs.client.block.write.locateFollowingBlock.retries", "11",
            "dfs.client.block.write.replace-datanode-on-failure.best-effort", "true");

    /** HDFS makes packets of what is written, whatever this is. */
    private static final int BUFFER_BYTES = 4096;
    /** A block must consist of whole checksum chunks. */
    private static final long BLOCK_STEP_BYTES = 1 << 20;

    private static final FsPermission PRIVATE_DIRECTORY = new FsPermission(FsAction.ALL, FsAction.NONE, FsAction.NONE);
    private static final FsPermission PRIVATE_FILE =
            new FsPermission(FsAction.READ_WRITE, FsAction.NONE, FsAction.NONE);

    private static final Logger log = LoggerFactory.getLogger(HdfsJournalStorage.class);
    private static final int FORCE_ATTEMPTS = 25;
    private static final long FENCE_POLL_MS = 200;
    /** Each call of {@code recoverLease} is a record in the NameNode's log, which it forces to disk. */
    private static final long POLLS_PER_RECOVERY = 5;
    /** How long a file is left to others who force it, times the attempts so far, and the most of these that count. */
    private static final long PATIENCE_MS = 5_000;

    private static final int LONGEST_PATIENCE = 3;

    private final StorageConfig config;
    private final FileSystem fileSystem;
    /** The same, which does not compare what it reads with checksums. */
    private final FileSystem unchecked;

    private final Path root;
    /** Null without Kerberos. */
    private final @Nullable KerberosUser user;

    private HdfsJournalStorage(
            StorageConfig config, FileSystem fileSystem, FileSystem unchecked, @Nullable KerberosUser user) {
        this.config = config;
        this.fileSystem = fileSystem;
        this.unchecked = unchecked;
        this.root = new Path(config.root());
        this.user = user;
    }

    /**
     * Connects to HDFS and makes the root directory.
     *
     * @throws IOException with a sentence for the operator if the storage cannot be used
     */
    public static HdfsJournalStorage open(StorageConfig config) throws IOException {
        Configuration hadoop = configuration(config);
        return connected(config, hadoop, user -> connect(config, hadoop, user));
    }

    static Configuration configuration(StorageConfig config) {
        // So that hdfs-site.xml is read now, and not when the first class of HDFS is used.
        HdfsConfiguration.init();
        Configuration hadoop = new Configuration();
        CLIENT_DEFAULTS.forEach((name, value) -> {
            if (isHadoopsDefault(hadoop, name)) {
                hadoop.set(name, value);
            }
        });
        config.hadoopOptions().forEach(hadoop::set);
        // Our shutdown closes the file system, after the journal; Hadoop's own hook would close it first.
        hadoop.setBoolean("fs.automatic.close", false);
        return hadoop;
    }

    /** Nobody has set it, not even in a file of the operator's: core-default.xml or hdfs-default.xml may, if it is loaded already. */
    static boolean isHadoopsDefault(Configuration hadoop, String name) {
        String[] sources = hadoop.getPropertySources(name);
        return sources == null || sources[sources.length - 1].endsWith("-default.xml");
    }

    /** What is to be done with an HDFS once the gateway is logged in. */
    @FunctionalInterface
    interface Connecting<T extends AutoCloseable> {
        T connect(@Nullable KerberosUser user) throws IOException;
    }

    /**
     * Logs in and connects, within the configured time.
     *
     * @param connecting closes the user if it fails; what it returns too late is closed
     * @throws IOException with a sentence for the operator if the storage cannot be used
     */
    static <T extends AutoCloseable> T connected(StorageConfig config, Configuration hadoop, Connecting<T> connecting)
            throws IOException {
        HdfsSecurity.check(config, hadoop);
        CompletableFuture<@Nullable KerberosUser> login = new CompletableFuture<>();
        CompletableFuture<T> opened = new CompletableFuture<>();
        Thread opener = new Thread(
                () -> {
                    try {
                        KerberosConfig kerberos = config.kerberos();
                        KerberosUser user = kerberos == null
                                ? null
                                // Tickets are valid by the system's clock.
                                : KerberosUser.login(kerberos, hadoop, InstantSource.system());
                        login.complete(user);
                        T connection = connecting.connect(user);
                        if (!opened.complete(connection)) {
                            connection.close();
                        }
                    } catch (Exception e) {
                        opened.completeExceptionally(e);
                    }
                },
                "hdfs-connect");
        opener.setDaemon(true);
        opener.start();
        try {
            return opened.get(config.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KerberosException named) {
                throw named;
            }
            throw HdfsSecurity.refused(config, hadoop, e);
        } catch (TimeoutException e) {
            opened.cancel(false);
            String reason = "no answer within " + config.connectTimeout().toSeconds() + " s";
            throw login.isDone()
                    ? unreachable(config, reason, e)
                    : new KerberosException("Cannot log in to Kerberos: " + KeytabLogin.silence(reason), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(config, "interrupted", e);
        }
    }

    static HdfsJournalStorage connect(StorageConfig config, Configuration hadoop, @Nullable KerberosUser user)
            throws IOException {
        try {
            FileSystem fileSystem = newFileSystem(config, hadoop, user);
            Path root = new Path(config.root());
            StorageErrors.run(() -> fileSystem.mkdirs(root, PRIVATE_DIRECTORY));
            warnIfOpenToOthers(fileSystem.getFileStatus(root));
            FileSystem unchecked = newFileSystem(config, hadoop, user);
            unchecked.setVerifyChecksum(false);
            return new HdfsJournalStorage(config, fileSystem, unchecked, user);
        } catch (IOException | RuntimeException e) {
            if (user != null) {
                user.close();
            }
            throw e;
        }
    }

    /** It remembers whom it belongs to, whoever uses it. */
    static FileSystem newFileSystem(StorageConfig config, Configuration hadoop, @Nullable KerberosUser user)
            throws IOException {
        return user == null
                ? FileSystem.newInstance(config.root(), hadoop)
                : user.call(() -> FileSystem.newInstance(config.root(), hadoop));
    }

    /** What is made in it is for this user only; what an earlier release made may not be. */
    private static void warnIfOpenToOthers(FileStatus root) {
        if (root.getPermission().getOtherAction() != FsAction.NONE) {
            log.warn(
                    "All users of HDFS can look into {}, where messages are ({}): hdfs dfs -chmod -R go= it",
                    root.getPath(),
                    root.getPermission());
        }
    }

    static IOException unreachable(StorageConfig config, String reason, Exception cause) {
        return new IOException(
                ("Cannot use the storage %s (%s). Check that the NameNode runs and that storage.root names its host and "
                                + "RPC port.")
                        .formatted(config.root(), reason),
                cause);
    }

    private Path path(String name) {
        return name.isEmpty() ? root : new Path(root, name);
    }

    @Override
    public AppendFile create(String name, long expectedBytes) throws IOException {
        Path path = path(name);
        short replication = fileSystem.getDefaultReplication(path);
        if (!root.equals(path.getParent())) {
            // Otherwise HDFS makes it, with the permissions of the directory above.
            StorageErrors.run(() -> fileSystem.mkdirs(path.getParent(), PRIVATE_DIRECTORY));
        }
        FSDataOutputStream out = StorageErrors.call(() -> fileSystem.create(
                path,
                PRIVATE_FILE,
                EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                BUFFER_BYTES,
                replication,
                blockBytes(fileSystem.getDefaultBlockSize(path), expectedBytes),
                null));
        if (!out.hasCapability(StreamCapabilities.HSYNC)) {
            out.close();
            throw new IOException(location() + " cannot force data to disk (hsync)");
        }
        return new HdfsAppendFile(out, replication, chunkBytes());
    }

    /**
     * One block for the whole file: where a block ends, HDFS forces all of it to disk before it goes on to the next, which takes
     * long if nothing of it was forced before.
     */
    private static long blockBytes(long usual, long expectedBytes) {
        return Math.max(usual, (expectedBytes + BLOCK_STEP_BYTES - 1) / BLOCK_STEP_BYTES * BLOCK_STEP_BYTES);
    }

    private int chunkBytes() {
        return fileSystem
                .getConf()
                .getInt(
                        HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_KEY,
                        HdfsClientConfigKeys.DFS_BYTES_PER_CHECKSUM_DEFAULT);
    }

    @Override
    public ReadFile open(String name) throws IOException {
        Path path = path(name);
        return new HdfsReadFile(path, StorageErrors.call(() -> fileSystem.open(path)));
    }

    @Override
    public ReadFile openUnchecked(String name) throws IOException {
        Path path = path(name);
        return new HdfsReadFile(path, StorageErrors.call(() -> unchecked.open(path)));
    }

    @Override
    public boolean exists(String name) throws IOException {
        return StorageErrors.call(() -> fileSystem.exists(path(name)));
    }

    @Override
    public List<StoredFile> list(String directory) throws IOException {
        List<StoredFile> files = new ArrayList<>();
        try {
            for (FileStatus status : StorageErrors.call(() -> fileSystem.listStatus(path(directory)))) {
                files.add(new StoredFile(status.getPath().getName(), status.getLen(), status.isDirectory()));
            }
        } catch (FileNotFoundException e) {
            return List.of();
        }
        return files;
    }

    @Override
    public boolean createWhole(String name, ByteSlice content) throws IOException {
        return WholeFile.create(this, this::renameIfAbsent, name, content);
    }

    /** HDFS refuses to rename onto a file. */
    private boolean renameIfAbsent(String from, String to) throws IOException {
        if (exists(to)) {
            return false;
        }
        if (StorageErrors.call(() -> fileSystem.rename(path(from), path(to)))) {
            return true;
        }
        if (exists(to)) {
            return false;
        }
        throw new IOException("Renaming " + path(from) + " to " + path(to) + " failed");
    }

    @Override
    public void delete(String name) throws IOException {
        StorageErrors.run(() -> fileSystem.delete(path(name), true));
    }

    @Override
    public void fence(String name) throws IOException {
        if (fileSystem instanceof LeaseRecoverable leases) {
            recoverLease(path(name), leases);
        }
    }

    @Override
    public void force(String name) throws IOException {
        Path path = path(name);
        if (StorageErrors.call(() -> fileSystem.getFileStatus(path).getLen()) > 0) {
            forceLastBlock(name);
        }
    }

    /** Earlier blocks were forced when they were full; an hsync of nothing forces the last one. */
    private void forceLastBlock(String name) throws IOException {
        Path path = path(name);
        for (int attempt = 1; ; attempt++) {
            try {
                FSDataOutputStream out = StorageErrors.call(() -> fileSystem.append(path));
                try {
                    StorageErrors.run(out::hsync);
                } finally {
                    // Not by try-with-resources: a stream that has failed throws the same exception again.
                    out.close();
                }
                return;
            } catch (FileNotFoundException e) {
                throw e;
            } catch (IOException e) {
                // Its old writer, or another who takes it over, may be forcing it just now.
                // Or a DataNode that is back has not reported its copy yet.
                if (attempt == FORCE_ATTEMPTS) {
                    throw e;
                }
                log.debug("Forcing {} failed, trying again", path, e);
                letOthersForce(path, attempt);
                fence(name);
            }
        }
    }

    /**
     * Waits until nobody has the file open, for some seconds at most, longer with each attempt: hosts that fence a file while others force
     * it would keep each other from it for ever.
     */
    private void letOthersForce(Path path, int attempt) throws IOException {
        long polls = Math.min(attempt, LONGEST_PATIENCE) * PATIENCE_MS / FENCE_POLL_MS;
        pause(path);
        if (fileSystem instanceof LeaseRecoverable leases) {
            for (long poll = 1; poll < polls && !StorageErrors.call(() -> leases.isFileClosed(path)); poll++) {
                pause(path);
            }
        }
    }

    @Override
    public boolean truncateExclusive(String name, long length) {
        return false;
    }

    /** Asks again and again: the old writer may have opened the file again since it was closed. */
    private void recoverLease(Path path, LeaseRecoverable leases) throws IOException {
        long polls = Math.max(1, config.fenceTimeout().toMillis() / FENCE_POLL_MS);
        for (long poll = 0; poll < polls; poll++) {
            boolean recovers = poll % POLLS_PER_RECOVERY == 0;
            try {
                if (StorageErrors.call(() -> recovers ? leases.recoverLease(path) : leases.isFileClosed(path))) {
                    return;
                }
            } catch (FileNotFoundException e) {
                return;
            }
            pause(path);
        }
        throw new IOException("%s is still open for writing after %d s"
                .formatted(path, config.fenceTimeout().toSeconds()));
    }

    private static void pause(Path path) throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(FENCE_POLL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while waiting for " + path + " to be closed", e);
        }
    }

    @Override
    public OptionalLong usableBytes() throws IOException {
        FsStatus status = StorageErrors.call(() -> fileSystem.getStatus(root));
        // A NameNode that was just started does not know of any DataNode yet.
        return status.getCapacity() == 0
                ? OptionalLong.empty()
                : OptionalLong.of(status.getRemaining() / Math.max(1, fileSystem.getDefaultReplication(root)));
    }

    @Override
    public String location() {
        return config.root().toString();
    }

    /**
     * Ends the connections. Files that are still open belong to lanes that failed, or that another incarnation has fenced: what
     * closing them says means nothing.
     */
    @Override
    public void close() throws IOException {
        try {
            closeQuietly(fileSystem);
            closeQuietly(unchecked);
        } finally {
            if (user != null) {
                user.close();
            }
        }
    }

    private static void closeQuietly(FileSystem fileSystem) {
        try {
            StorageErrors.run(fileSystem::close);
        } catch (IOException e) {
            log.info("A file that this host had lost could not be closed: {}", e.getMessage());
        }
    }

    private static final class HdfsAppendFile implements AppendFile {

        private final FSDataOutputStream out;
        private final int wantedReplicas;
        private final int chunkBytes;

        HdfsAppendFile(FSDataOutputStream out, int wantedReplicas, int chunkBytes) {
            this.out = out;
            this.wantedReplicas = wantedReplicas;
            this.chunkBytes = chunkBytes;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            StorageErrors.run(() -> out.write(bytes, offset, length));
        }

        @Override
        public void sync(Durability level) throws IOException {
            StorageErrors.run(level == Durability.DISK ? out::hsync : out::hflush);
        }

        @Override
        public Replication replication() throws IOException {
            return out instanceof HdfsDataOutputStream hdfs
                    ? new Replication(StorageErrors.call(hdfs::getCurrentBlockReplication), wantedReplicas)
                    : Replication.ENOUGH;
        }

        @Override
        public int chunkBytes() {
            return chunkBytes;
        }

        @Override
        public void close() throws IOException {
            StorageErrors.run(out::close);
        }
    }

    private final class HdfsReadFile implements ReadFile {

        private final Path path;
        private final FSDataInputStream in;
        /** From here on a read with checksums has failed, and one without has not. */
        private volatile long uncheckedFrom = Long.MAX_VALUE;

        private @Nullable FSDataInputStream uncheckedIn;

        HdfsReadFile(Path path, FSDataInputStream in) {
            this.path = path;
            this.in = in;
        }

        @Override
        public int read(long position, byte[] bytes, int offset, int length) throws IOException {
            if (position + length > uncheckedFrom) {
                return read(unchecked(), position, bytes, offset, length);
            }
            try {
                return read(in, position, bytes, offset, length);
            } catch (ChecksumException | BlockUnavailableException e) {
                // The second says as well that no DataNode is there: then this read fails, too.
                int read = read(unchecked(), position, bytes, offset, length);
                log.warn(
                        "{} does not match its checksums at {} or behind: it is read without them ({})",
                        path,
                        position,
                        StorageFailures.reason(e));
                uncheckedFrom = Math.min(uncheckedFrom, position);
                return read;
            }
        }

        private static int read(FSDataInputStream from, long position, byte[] bytes, int offset, int length)
                throws IOException {
            int done = 0;
            while (done < length) {
                int before = done;
                int read =
                        StorageErrors.call(() -> from.read(position + before, bytes, offset + before, length - before));
                if (read < 0) {
                    break;
                }
                done += read;
            }
            return done;
        }

        private synchronized FSDataInputStream unchecked() throws IOException {
            if (uncheckedIn == null) {
                uncheckedIn = StorageErrors.call(() -> unchecked.open(path));
            }
            return uncheckedIn;
        }

        @Override
        public long length() throws IOException {
            if (in instanceof HdfsDataInputStream hdfs) {
                // Known since it was opened, without another call to the NameNode.
                return StorageErrors.call(hdfs::getVisibleLength);
            }
            return StorageErrors.call(() -> fileSystem.getFileStatus(path).getLen());
        }

        @Override
        public void close() throws IOException {
            StorageErrors.run(in::close);
            synchronized (this) {
                if (uncheckedIn != null) {
                    StorageErrors.run(uncheckedIn::close);
                }
            }
        }
    }
}
