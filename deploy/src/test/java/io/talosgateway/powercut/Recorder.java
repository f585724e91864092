package io.talosgateway.powercut;

import java.io.File;
import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Writes down, in order, what this JVM does to the files below one directory. On the bootstrap class path: the instrumented
 * classes of the JDK call it. Public for them only.
 *
 * <p>The record is memory that is mapped from files, so that it outlives {@code kill -9}. An operation is recorded after it was
 * done and before its caller goes on. So what is missing at the end of the record is what nobody can have relied on; and a
 * force covers what was recorded before it began.
 *
 * <p>Files {@code trace-0}, {@code trace-1} and so on, in the byte order of the machine. A record does not cross files.
 *
 * <pre>
 * 0   4  bytes of the record, a multiple of 4, written last; 0: the record ends here; -1: goes on in the next file
 * 4   4  kind
 * 8   8  a number: open file, position in the record (see each kind)
 * 16  8  a number: position, length, flags
 * 24  4  bytes of the first text or of the data
 * 28  4  bytes of the second text
 * 32  n  texts or data
 * </pre>
 */
public final class Recorder {

    /** Open file, flags; path. */
    static final int OPEN = 1;
    /** Open file, position in the file; data. */
    static final int WRITE = 2;
    /** Open file; data, which goes where the open file stands. */
    static final int WRITE_NEXT = 3;
    /** Open file, where it stands now. */
    static final int SEEK = 4;
    /** Open file, the file's length now. */
    static final int SET_LENGTH = 5;
    /** Open file, number of records when it began. */
    static final int FORCE = 6;
    /** Path. */
    static final int CREATE_DIRECTORY = 7;
    /** Path, new path. */
    static final int RENAME = 8;
    /** Path. */
    static final int DELETE = 9;
    /** What was done; the disk does not know it. */
    static final int UNKNOWN = 10;

    static final int FLAG_CREATE = 1;
    static final int FLAG_TRUNCATE = 2;
    static final int FLAG_APPEND = 4;
    /** Every write is forced. */
    static final int FLAG_SYNC = 8;

    static final int HEADER_BYTES = 32;
    static final int NEXT_FILE = -1;
    /** Of a process that ends itself after as many records as it was told. */
    public static final int HALTED = 137;

    private static final int FILE_BYTES = 32 << 20;
    private static final int MAX_DATA_BYTES = 1 << 20;
    private static final int FAILED = 99;
    private static final VarHandle LENGTH = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final Object LOCK = new Object();
    /** By {@link FileDescriptor} or {@link FileChannel}; neither has an {@code equals} of its own. Guarded by the lock. */
    private static final Map<Object, Long> OPEN_FILES = new WeakHashMap<>();

    private static String root = "";
    private static String traceDirectory = "";
    private static MappedByteBuffer file;
    private static int files;
    private static long records;
    private static long haltAfter;
    private static long lastOpenFile;
    private static volatile boolean on;

    private Recorder() {}

    /**
     * Begins.
     *
     * @param haltAfterRecords ends the process then, as abruptly as {@code kill -9}; never if 0
     */
    public static void start(String rootDirectory, String directory, long haltAfterRecords) {
        synchronized (LOCK) {
            root = rootDirectory;
            traceDirectory = directory;
            haltAfter = haltAfterRecords;
            nextFile();
            on = true;
        }
    }

    /** A stream or random access file was opened. */
    public static void opened(
            FileDescriptor descriptor, String name, boolean create, boolean truncate, boolean append) {
        track(descriptor, absolute(name), flags(create, truncate, append, false));
    }

    /** {@link RandomAccessFile} in a mode; the bits are the JDK's. */
    public static void opened(FileDescriptor descriptor, String name, int mode) {
        boolean write = (mode & 2) != 0;
        if (write) {
            track(descriptor, absolute(name), flags(true, false, false, (mode & 12) != 0));
        }
    }

    /** A channel was opened. */
    public static void opened(Object channel, Path path, Set<? extends OpenOption> options) {
        boolean write = options.contains(StandardOpenOption.WRITE) || options.contains(StandardOpenOption.APPEND);
        boolean create = options.contains(StandardOpenOption.CREATE) || options.contains(StandardOpenOption.CREATE_NEW);
        track(
                channel,
                absolute(path),
                flags(
                        write && create,
                        write && options.contains(StandardOpenOption.TRUNCATE_EXISTING),
                        options.contains(StandardOpenOption.APPEND),
                        options.contains(StandardOpenOption.SYNC) || options.contains(StandardOpenOption.DSYNC)));
    }

    private static void track(Object key, String path, int flags) {
        if (on && isInRoot(path)) {
            synchronized (LOCK) {
                lastOpenFile++;
                OPEN_FILES.put(key, lastOpenFile);
                record(OPEN, lastOpenFile, flags, path, null);
            }
        }
    }

    private static int flags(boolean create, boolean truncate, boolean append, boolean sync) {
        return (create ? FLAG_CREATE : 0)
                | (truncate ? FLAG_TRUNCATE : 0)
                | (append ? FLAG_APPEND : 0)
                | (sync ? FLAG_SYNC : 0);
    }

    /** A stream wrote where it stood. */
    public static void wrote(FileDescriptor descriptor, byte[] bytes, int offset, int length) {
        wrote(descriptor, WRITE_NEXT, 0, ByteBuffer.wrap(bytes, offset, length));
    }

    /** A stream wrote one byte where it stood. */
    public static void wrote(FileDescriptor descriptor, int value) {
        wrote(descriptor, new byte[] {(byte) value}, 0, 1);
    }

    /** A random access file wrote, and stands behind it. */
    public static void wrote(RandomAccessFile random, FileDescriptor descriptor, byte[] bytes, int offset, int length)
            throws IOException {
        if (on && openFile(descriptor) != 0) {
            long end = random.getFilePointer();
            wrote(descriptor, WRITE, end - length, ByteBuffer.wrap(bytes, offset, length));
            note(descriptor, SEEK, end);
        }
    }

    /** A channel wrote the last {@code written} bytes of what the buffer has given, and stands behind them. */
    public static void wrote(FileChannel channel, FileDescriptor descriptor, ByteBuffer source, int written)
            throws IOException {
        Object key = key(channel, descriptor);
        if (written > 0 && key != null) {
            long end = channel.position();
            wrote(key, WRITE, end - written, given(source, written));
            note(key, SEEK, end);
        }
    }

    /** A channel wrote at a position. */
    public static void wroteAt(
            FileChannel channel, FileDescriptor descriptor, ByteBuffer source, long position, int written) {
        Object key = key(channel, descriptor);
        if (written > 0 && key != null) {
            wrote(key, WRITE, position, given(source, written));
        }
    }

    /** A channel wrote what the buffers have given since these positions, and stands behind it. */
    public static void wroteAll(FileChannel channel, FileDescriptor descriptor, ByteBuffer[] sources, int[] positions)
            throws IOException {
        Object key = key(channel, descriptor);
        if (key == null) {
            return;
        }
        long end = channel.position();
        long position = end;
        for (int i = 0; i < sources.length; i++) {
            position -= sources[i].position() - positions[i];
        }
        for (int i = 0; i < sources.length; i++) {
            int written = sources[i].position() - positions[i];
            wrote(key, WRITE, position, given(sources[i], written));
            position += written;
        }
        note(key, SEEK, end);
    }

    /** Where the buffers stand. */
    public static int[] positions(ByteBuffer[] buffers) {
        int[] positions = new int[buffers.length];
        for (int i = 0; i < buffers.length; i++) {
            positions[i] = buffers[i].position();
        }
        return positions;
    }

    private static ByteBuffer given(ByteBuffer source, int length) {
        ByteBuffer given = source.duplicate();
        return given.limit(source.position()).position(source.position() - length);
    }

    private static void wrote(Object key, int kind, long position, ByteBuffer data) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            Long openFile = OPEN_FILES.get(key);
            long at = position;
            while (openFile != null && data.hasRemaining()) {
                int length = Math.min(data.remaining(), MAX_DATA_BYTES);
                ByteBuffer part = data.duplicate();
                part.limit(data.position() + length);
                record(kind, openFile, at, length, 0, part, null);
                at += length;
                data.position(data.position() + length);
            }
        }
    }

    /** A random access file stands somewhere else. */
    public static void sought(FileDescriptor descriptor, long position) {
        note(descriptor, SEEK, position);
    }

    /** A channel stands somewhere else. */
    public static void sought(FileChannel channel, FileDescriptor descriptor, long position) {
        Object key = key(channel, descriptor);
        if (key != null) {
            note(key, SEEK, position);
        }
    }

    /** A channel cut a file, unless it was as short before. */
    public static void truncated(FileChannel channel, FileDescriptor descriptor) throws IOException {
        Object key = key(channel, descriptor);
        if (key != null) {
            note(key, SET_LENGTH, channel.size());
        }
    }

    /** In the place of {@link RandomAccessFile#setLength}, which is native. */
    public static void setLength(RandomAccessFile random, long length) throws IOException {
        random.setLength(length);
        note(random.getFD(), SET_LENGTH, length);
    }

    /** In the place of {@link FileDescriptor#sync}, which is native. */
    public static void sync(FileDescriptor descriptor) throws IOException {
        long began = began();
        descriptor.sync();
        note(descriptor, FORCE, began);
    }

    /** Number of records so far: a force that begins now covers them. */
    public static long began() {
        synchronized (LOCK) {
            return records;
        }
    }

    /** A channel forced a file or directory. */
    public static void forced(FileChannel channel, FileDescriptor descriptor, long began) {
        Object key = key(channel, descriptor);
        if (key != null) {
            note(key, FORCE, began);
        }
    }

    /** A directory was made. */
    public static void createdDirectory(Object path) {
        named(CREATE_DIRECTORY, path, null);
    }

    /** An empty file was made. */
    public static void createdFile(File path) {
        track(new Object(), absolute(path), FLAG_CREATE);
    }

    /** Something has another name, and what had that name before has none. */
    public static void renamed(Object from, Object to) {
        named(RENAME, from, to);
    }

    /** A name is gone. */
    public static void deleted(Object path) {
        named(DELETE, path, null);
    }

    /** Something was done that is not recorded. */
    public static void unknown(String what, Object path) {
        if (on && isInRoot(absolute(path))) {
            synchronized (LOCK) {
                record(UNKNOWN, 0, 0, what, absolute(path));
            }
        }
    }

    private static void named(int kind, Object path, Object newPath) {
        String first = absolute(path);
        String second = newPath == null ? null : absolute(newPath);
        if (on && (isInRoot(first) || (second != null && isInRoot(second)))) {
            synchronized (LOCK) {
                record(kind, 0, 0, first, second);
            }
        }
    }

    private static void note(Object key, int kind, long number) {
        if (!on) {
            return;
        }
        synchronized (LOCK) {
            Long openFile = OPEN_FILES.get(key);
            if (openFile != null) {
                record(kind, openFile, number, 0, 0, null, null);
            }
        }
    }

    /** What an open file is known by: its channel or its descriptor; null if it is not below the root. */
    private static Object key(FileChannel channel, FileDescriptor descriptor) {
        if (!on) {
            return null;
        }
        return openFile(channel) != 0 ? channel : openFile(descriptor) != 0 ? descriptor : null;
    }

    private static long openFile(Object key) {
        synchronized (LOCK) {
            Long openFile = OPEN_FILES.get(key);
            return openFile == null ? 0 : openFile;
        }
    }

    private static String absolute(Object path) {
        Path asPath = path instanceof Path given
                ? given
                : path instanceof File given ? Path.of(given.getPath()) : Path.of((String) path);
        return asPath.toAbsolutePath().normalize().toString();
    }

    private static boolean isInRoot(String path) {
        return path.startsWith(root) && (path.length() == root.length() || path.charAt(root.length()) == '/');
    }

    private static void record(int kind, long first, long second, String text, String secondText) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        byte[] more = secondText == null ? null : secondText.getBytes(StandardCharsets.UTF_8);
        record(
                kind,
                first,
                second,
                bytes.length,
                more == null ? 0 : more.length,
                ByteBuffer.wrap(bytes),
                more == null ? null : ByteBuffer.wrap(more));
    }

    private static void record(
            int kind, long first, long second, int length, int moreLength, ByteBuffer data, ByteBuffer more) {
        try {
            int bytes = (HEADER_BYTES + length + moreLength + 3) & ~3;
            int start = file.position();
            // Room for the length of the record that says where it goes on.
            if (file.remaining() < bytes + Integer.BYTES) {
                LENGTH.setRelease(file, start, NEXT_FILE);
                nextFile();
                start = 0;
            }
            file.putInt(start + 4, kind).putLong(start + 8, first).putLong(start + 16, second);
            file.putInt(start + 24, length).putInt(start + 28, moreLength).position(start + HEADER_BYTES);
            if (data != null) {
                file.put(data);
            }
            if (more != null) {
                file.put(more);
            }
            file.position(start + bytes);
            LENGTH.setRelease(file, start, bytes);
            records++;
            if (records == haltAfter) {
                Runtime.getRuntime().halt(HALTED);
            }
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    private static void nextFile() {
        Path path = Path.of(traceDirectory, "trace-".concat(Integer.toString(files)));
        files++;
        try (FileChannel channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            file = channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES);
            file.order(ByteOrder.nativeOrder());
        } catch (IOException e) {
            fail(e);
        }
    }

    /** A record with a hole would say of lost bytes that they were never written. */
    private static void fail(Throwable problem) {
        System.err.println("The record of file operations cannot be written:");
        problem.printStackTrace();
        Runtime.getRuntime().halt(FAILED);
    }
}
