package io.talosgateway.powercut;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Random;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;

/** Makes a directory and a file in it, under a temporary name, and forces all of it but what it is told to forget. */
final class FileProgram {

    /** What is not forced. */
    enum Forgets {
        NOTHING,
        BYTES,
        /** The name of the file's directory. */
        DIRECTORY,
        /** That the file has a name, before it gets its last one; it keeps the first. */
        NAME,
        RENAME
    }

    /** Which classes of Java or Hadoop it uses. */
    enum Hand {
        STREAM,
        RANDOM_ACCESS,
        CHANNEL,
        GATHERING_CHANNEL,
        SYNCHRONOUS,
        HADOOP
    }

    static final String DIRECTORY = "d";
    static final String TEMPORARY = "file.tmp";
    static final String FILE = "file";
    static final byte[] CONTENT = content();

    private static final int PART = 3_000;

    private FileProgram() {}

    private static byte[] content() {
        byte[] content = new byte[20_000];
        new Random(1).nextBytes(content);
        return content;
    }

    /** Where a program works. */
    static String home(Hand hand, Forgets forgets) {
        return hand + "-" + forgets;
    }

    /** Runs every program, each in its own directory below the given one, and waits to be killed. */
    public static void main(String[] arguments) throws IOException {
        for (Hand hand : Hand.values()) {
            for (Forgets forgets : Forgets.values()) {
                run(hand, forgets, Path.of(arguments[0], home(hand, forgets)));
            }
        }
        System.out.println("done");
        System.in.read();
    }

    private static void run(Hand hand, Forgets forgets, Path home) throws IOException {
        Path directory = home.resolve(DIRECTORY);
        makeDirectory(hand, directory);
        if (forgets != Forgets.DIRECTORY) {
            force(home);
        }
        Path file = directory.resolve(forgets == Forgets.NAME ? FILE : TEMPORARY);
        write(hand, file, forgets != Forgets.BYTES);
        if (forgets != Forgets.NAME) {
            force(directory);
            rename(hand, file, directory.resolve(FILE));
            if (forgets != Forgets.RENAME) {
                force(directory);
            }
        }
    }

    private static void makeDirectory(Hand hand, Path directory) throws IOException {
        switch (hand) {
            case STREAM, RANDOM_ACCESS -> check(directory.toFile().mkdirs());
            case HADOOP -> hadoop().mkdirs(hadoop(directory));
            default -> Files.createDirectory(directory);
        }
    }

    private static void check(boolean done) throws IOException {
        if (!done) {
            throw new IOException("failed");
        }
    }

    private static FileSystem hadoop() throws IOException {
        return FileSystem.getLocal(new Configuration(false)).getRawFileSystem();
    }

    private static org.apache.hadoop.fs.Path hadoop(Path path) {
        return new org.apache.hadoop.fs.Path(path.toUri());
    }

    private static void write(Hand hand, Path path, boolean force) throws IOException {
        switch (hand) {
            case STREAM -> {
                try (FileOutputStream out = new FileOutputStream(path.toFile())) {
                    out.write(CONTENT[0]);
                    out.write(CONTENT, 1, CONTENT.length - 1);
                    if (force) {
                        out.getFD().sync();
                    }
                }
            }
            case RANDOM_ACCESS -> {
                try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
                    file.setLength(CONTENT.length + 10L);
                    file.seek(PART);
                    file.write(CONTENT, PART, CONTENT.length - PART);
                    file.seek(0);
                    try (FileOutputStream start = new FileOutputStream(file.getFD())) {
                        start.write(CONTENT, 0, PART);
                        file.setLength(CONTENT.length);
                        if (force) {
                            file.getChannel().force(true);
                        }
                    }
                }
            }
            case CHANNEL -> {
                try (FileChannel channel =
                        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(CONTENT, PART, CONTENT.length - PART), PART);
                    channel.write(ByteBuffer.wrap(CONTENT, 0, PART));
                    channel.write(ByteBuffer.wrap(CONTENT), CONTENT.length);
                    channel.truncate(CONTENT.length);
                    if (force) {
                        channel.force(false);
                    }
                }
            }
            case GATHERING_CHANNEL -> {
                ByteBuffer[] parts = {
                    ByteBuffer.wrap(CONTENT, 0, PART), ByteBuffer.wrap(CONTENT, PART, CONTENT.length - PART)
                };
                try (FileChannel channel =
                        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                    while (parts[1].hasRemaining()) {
                        channel.write(parts);
                    }
                    if (force) {
                        channel.force(true);
                    }
                }
            }
            case SYNCHRONOUS -> {
                if (force) {
                    Files.write(path, CONTENT, StandardOpenOption.CREATE_NEW, StandardOpenOption.SYNC);
                } else {
                    Files.write(path, CONTENT);
                }
            }
            case HADOOP -> {
                try (FSDataOutputStream out = hadoop().create(hadoop(path))) {
                    out.write(CONTENT);
                    if (force) {
                        out.hsync();
                    } else {
                        out.hflush();
                    }
                }
            }
        }
    }

    private static void rename(Hand hand, Path from, Path to) throws IOException {
        switch (hand) {
            case STREAM, RANDOM_ACCESS -> {
                File file = from.toFile();
                check(file.renameTo(to.toFile()));
            }
            case HADOOP -> check(hadoop().rename(hadoop(from), hadoop(to)));
            default -> Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static void force(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
