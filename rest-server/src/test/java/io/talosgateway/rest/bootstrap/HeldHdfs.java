package io.talosgateway.rest.bootstrap;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.EnumSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.Progressable;

/** HDFS, but that a thread which writes a journal file can be held at a moment. Named by {@code fs.hdfs.impl}. */
public final class HeldHdfs extends DistributedFileSystem {

    private static final AtomicReference<Hold> NEXT = new AtomicReference<>();

    /** Where a thread is held. */
    enum Moment {
        /** It is about to create a file: whoever fences the journal now does not see the file. */
        BEFORE_CREATE,
        /** What it wrote is about to be sent. */
        BEFORE_SYNC,
        /** What it wrote is durable, and nobody was told. */
        AFTER_SYNC
    }

    /** The next thread that comes to the moment, and only that one. */
    static final class Hold implements AutoCloseable {

        private final Moment moment;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);

        private Hold(Moment moment) {
            this.moment = moment;
        }

        static Hold next(Moment moment) {
            Hold hold = new Hold(moment);
            NEXT.set(hold);
            return hold;
        }

        void awaitReached() throws InterruptedException {
            if (!reached.await(120, TimeUnit.SECONDS)) {
                throw new AssertionError("no thread came to " + moment);
            }
        }

        void goOn() {
            goOn.countDown();
        }

        @Override
        public void close() {
            NEXT.set(null);
            goOn();
        }
    }

    private static void passBy(Moment moment) throws IOException {
        Hold hold = NEXT.get();
        if (hold == null || hold.moment != moment || !NEXT.compareAndSet(hold, null)) {
            return;
        }
        hold.reached.countDown();
        try {
            hold.goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    @Override
    public FSDataOutputStream create(
            Path path,
            FsPermission permission,
            EnumSet<CreateFlag> flags,
            int bufferSize,
            short replication,
            long blockSize,
            Progressable progress,
            ChecksumOpt checksum)
            throws IOException {
        if (!path.getName().endsWith(".journal")) {
            return super.create(path, permission, flags, bufferSize, replication, blockSize, progress, checksum);
        }
        passBy(Moment.BEFORE_CREATE);
        return new HeldStream(
                super.create(path, permission, flags, bufferSize, replication, blockSize, progress, checksum));
    }

    private static final class HeldStream extends FSDataOutputStream {

        HeldStream(FSDataOutputStream out) throws IOException {
            super(out, null);
        }

        @Override
        public void hflush() throws IOException {
            passBy(Moment.BEFORE_SYNC);
            super.hflush();
            passBy(Moment.AFTER_SYNC);
        }

        @Override
        public void hsync() throws IOException {
            passBy(Moment.BEFORE_SYNC);
            super.hsync();
            passBy(Moment.AFTER_SYNC);
        }
    }
}
