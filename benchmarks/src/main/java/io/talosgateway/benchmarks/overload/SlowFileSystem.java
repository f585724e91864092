package io.talosgateway.benchmarks.overload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
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
            return new SlowStream(out, getConf().getInt(SYNC_MS, 0));
        }
    }

    private static final class SlowStream extends FSDataOutputStream {

        private final int syncMs;

        SlowStream(FSDataOutputStream fast, int syncMs) throws IOException {
            super(fast, null);
            this.syncMs = syncMs;
        }

        @Override
        public void hsync() throws IOException {
            super.hsync();
            try {
                TimeUnit.MILLISECONDS.sleep(syncMs);
            } catch (InterruptedException e) {
                throw (IOException) new InterruptedIOException("interrupted in a sync").initCause(e);
            }
        }
    }
}
