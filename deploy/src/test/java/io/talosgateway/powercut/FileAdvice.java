package io.talosgateway.powercut;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

import net.bytebuddy.asm.Advice;
import net.bytebuddy.asm.AsmVisitorWrapper;
import net.bytebuddy.description.method.MethodDescription;
import net.bytebuddy.matcher.ElementMatcher;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

/**
 * What is added to methods of the JDK. The bodies are copied into them; they see only {@link Recorder}. An operation that throws
 * is not recorded.
 */
final class FileAdvice {

    private FileAdvice() {}

    static Map<Class<?>, List<AsmVisitorWrapper>> byClass() throws ClassNotFoundException {
        Class<?> buffers = ByteBuffer[].class;
        return Map.of(
                FileOutputStream.class,
                List.of(
                        on(OpenStream.class, named("open").and(takesArguments(String.class, boolean.class))),
                        on(WriteByte.class, named("write").and(takesArguments(int.class))),
                        on(WriteArray.class, named("write").and(takesArguments(byte[].class))),
                        on(WriteRange.class, named("write").and(takesArguments(byte[].class, int.class, int.class)))),
                RandomAccessFile.class,
                List.of(
                        on(OpenRandom.class, named("open").and(takesArguments(String.class, int.class))),
                        on(RandomWriteByte.class, named("write").and(takesArguments(int.class))),
                        on(RandomWriteArray.class, named("write").and(takesArguments(byte[].class))),
                        on(
                                RandomWriteRange.class,
                                named("write").and(takesArguments(byte[].class, int.class, int.class))),
                        on(SeekRandom.class, named("seek").and(takesArguments(long.class)))),
                File.class,
                List.of(
                        on(CreateFile.class, named("createNewFile")),
                        on(MakeDirectory.class, named("mkdir")),
                        on(RenameFile.class, named("renameTo")),
                        on(DeleteFile.class, named("delete"))),
                Class.forName("sun.nio.ch.FileChannelImpl"),
                List.of(
                        on(WriteChannel.class, named("write").and(takesArguments(ByteBuffer.class))),
                        on(WriteChannelAt.class, named("write").and(takesArguments(ByteBuffer.class, long.class))),
                        on(GatherChannel.class, named("write").and(takesArguments(buffers, int.class, int.class))),
                        on(SeekChannel.class, named("position").and(takesArguments(long.class))),
                        on(TruncateChannel.class, named("truncate").and(takesArguments(long.class))),
                        on(ForceChannel.class, named("force").and(takesArguments(boolean.class)))),
                Class.forName("sun.nio.fs.UnixFileSystemProvider"),
                List.of(
                        on(OpenChannel.class, named("newFileChannel").or(named("newByteChannel"))),
                        on(MakePath.class, named("createDirectory")),
                        on(MovePath.class, named("move")),
                        on(Unknown.class, named("copy").or(named("createLink"))),
                        on(Unknown.class, named("createSymbolicLink").or(named("newAsynchronousFileChannel")))),
                Class.forName("sun.nio.fs.AbstractFileSystemProvider"),
                List.of(on(DeletePath.class, named("delete")), on(DeletePathIfThere.class, named("deleteIfExists"))));
    }

    private static AsmVisitorWrapper on(Class<?> advice, ElementMatcher<? super MethodDescription> methods) {
        return Advice.to(advice).on(methods);
    }

    static final class OpenStream {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) String name,
                @Advice.Argument(1) boolean append) {
            Recorder.opened(fd, name, true, !append, append);
        }
    }

    static final class WriteByte {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("fd") FileDescriptor fd, @Advice.Argument(0) int value) {
            Recorder.wrote(fd, value);
        }
    }

    static final class WriteArray {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("fd") FileDescriptor fd, @Advice.Argument(0) byte[] bytes) {
            Recorder.wrote(fd, bytes, 0, bytes.length);
        }
    }

    static final class WriteRange {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) byte[] bytes,
                @Advice.Argument(1) int offset,
                @Advice.Argument(2) int length) {
            Recorder.wrote(fd, bytes, offset, length);
        }
    }

    static final class OpenRandom {
        @Advice.OnMethodExit
        static void exit(
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) String name,
                @Advice.Argument(1) int mode) {
            Recorder.opened(fd, name, mode);
        }
    }

    static final class RandomWriteByte {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This RandomAccessFile file,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) int value)
                throws IOException {
            Recorder.wrote(file, fd, new byte[] {(byte) value}, 0, 1);
        }
    }

    static final class RandomWriteArray {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This RandomAccessFile file,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) byte[] bytes)
                throws IOException {
            Recorder.wrote(file, fd, bytes, 0, bytes.length);
        }
    }

    static final class RandomWriteRange {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This RandomAccessFile file,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) byte[] bytes,
                @Advice.Argument(1) int offset,
                @Advice.Argument(2) int length)
                throws IOException {
            Recorder.wrote(file, fd, bytes, offset, length);
        }
    }

    static final class SeekRandom {
        @Advice.OnMethodExit
        static void exit(@Advice.FieldValue("fd") FileDescriptor fd, @Advice.Argument(0) long position) {
            Recorder.sought(fd, position);
        }
    }

    static final class CreateFile {
        @Advice.OnMethodExit
        static void exit(@Advice.This File file, @Advice.Return boolean done) {
            if (done) {
                Recorder.createdFile(file);
            }
        }
    }

    static final class MakeDirectory {
        @Advice.OnMethodExit
        static void exit(@Advice.This File file, @Advice.Return boolean done) {
            if (done) {
                Recorder.createdDirectory(file);
            }
        }
    }

    static final class RenameFile {
        @Advice.OnMethodExit
        static void exit(@Advice.This File file, @Advice.Argument(0) File to, @Advice.Return boolean done) {
            if (done) {
                Recorder.renamed(file, to);
            }
        }
    }

    static final class DeleteFile {
        @Advice.OnMethodExit
        static void exit(@Advice.This File file, @Advice.Return boolean done) {
            if (done) {
                Recorder.deleted(file);
            }
        }
    }

    static final class WriteChannel {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This FileChannel channel,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) ByteBuffer source,
                @Advice.Return int written)
                throws IOException {
            Recorder.wrote(channel, fd, source, written);
        }
    }

    static final class WriteChannelAt {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This FileChannel channel,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) ByteBuffer source,
                @Advice.Argument(1) long position,
                @Advice.Return int written) {
            Recorder.wroteAt(channel, fd, source, position, written);
        }
    }

    static final class GatherChannel {
        @Advice.OnMethodEnter
        static int[] enter(@Advice.Argument(0) ByteBuffer[] sources) {
            return Recorder.positions(sources);
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.This FileChannel channel,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) ByteBuffer[] sources,
                @Advice.Enter int[] positions)
                throws IOException {
            Recorder.wroteAll(channel, fd, sources, positions);
        }
    }

    static final class SeekChannel {
        @Advice.OnMethodExit
        static void exit(
                @Advice.This FileChannel channel,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Argument(0) long position) {
            Recorder.sought(channel, fd, position);
        }
    }

    static final class TruncateChannel {
        @Advice.OnMethodExit
        static void exit(@Advice.This FileChannel channel, @Advice.FieldValue("fd") FileDescriptor fd)
                throws IOException {
            Recorder.truncated(channel, fd);
        }
    }

    static final class ForceChannel {
        @Advice.OnMethodEnter
        static long enter() {
            return Recorder.began();
        }

        @Advice.OnMethodExit
        static void exit(
                @Advice.This FileChannel channel,
                @Advice.FieldValue("fd") FileDescriptor fd,
                @Advice.Enter long began) {
            Recorder.forced(channel, fd, began);
        }
    }

    static final class OpenChannel {
        @Advice.OnMethodExit
        static void exit(
                @Advice.Argument(0) Path path,
                @Advice.Argument(1) Set<? extends OpenOption> options,
                @Advice.Return Object channel) {
            Recorder.opened(channel, path, options);
        }
    }

    static final class MakePath {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Path path) {
            Recorder.createdDirectory(path);
        }
    }

    static final class MovePath {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Path from, @Advice.Argument(1) Path to) {
            Recorder.renamed(from, to);
        }
    }

    static final class DeletePath {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Path path) {
            Recorder.deleted(path);
        }
    }

    static final class DeletePathIfThere {
        @Advice.OnMethodExit
        static void exit(@Advice.Argument(0) Path path, @Advice.Return boolean done) {
            if (done) {
                Recorder.deleted(path);
            }
        }
    }

    static final class Unknown {
        @Advice.OnMethodExit
        static void exit(@Advice.Origin("#m") String method, @Advice.AllArguments Object[] arguments) {
            Recorder.unknown(method, arguments[method.equals("copy") ? 1 : 0]);
        }
    }
}
