package io.talosgateway.benchmarks.overload;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** The local file system with a disk that takes its time for each sync: {@value #SYNC_MS} milliseconds more. */
public final class SlowFileSystem extends LocalFileSystem {

    static final String SYNC_MS = "slow.sync.ms";

    /** Made by Hadoop, where {@code fs.file.impl} names this class. */
    public SlowFileSystem() {
        super(new SlowRaw());
    }

    private static final class SlowRaw extends RawLocalFileSystem {
        @Override
        public FSDataOutputStream create(
                Path path,
                FsPermission permission,
                boolean overwrite,
                int bufferSize,
                short replication,
                long blockSize,
                Progressable progress)
                throws IOException {
            FSDataOutputStream out =
                    super.create(path, permission, overwrite, bufferSize, replication, blockSize, progress);
            return new FSDataOutputStream(new SlowStream(out, getConf().getInt(SYNC_MS, 0)), null);
        }
    }

    private static final class SlowStream extends FilterOutputStream implements Syncable, StreamCapabilities {

        private final FSDataOutputStream fast;
        private final int syncMs;

        SlowStream(FSDataOutputStream fast, int syncMs) {
            super(fast);
            this.fast = fast;
            this.syncMs = syncMs;
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            fast.write(bytes, offset, length);
        }

        @Override
        public void hflush() throws IOException {
            fast.hflush();
        }

        @Override
        public void hsync() throws IOException {
            fast.hsync();
            try {
                TimeUnit.MILLISECONDS.sleep(syncMs);
            } catch (InterruptedException e) {
                throw (IOException) new InterruptedIOException("interrupted in a sync").initCause(e);
            }
        }

        @Override
        public boolean hasCapability(String capability) {
            return fast.hasCapability(capability);
        }
    }
}
