package io.talosgateway.rest.config;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;

/** Files and directories that nobody but this user can read. Only what is created here is made so. Stateless. */
public final class PrivateFiles {

    private static final boolean POSIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private PrivateFiles() {}

    /** Creates a directory, with those above it, unless it is there. */
    public static void createDirectories(Path directory) throws IOException {
        try {
            Files.createDirectories(directory, attributes("rwx------"));
        } catch (FileAlreadyExistsException e) {
            // A link to a directory is good, too.
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
    }

    /** Opens a file, which is created if the options say so. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), attributes("rw-------"));
    }

    /** The secret in a file, which is made up if there is none: random bytes, in hexadecimal. */
    public static String secret(Path file, int bytes) throws IOException {
        if (!Files.exists(file)) {
            byte[] random = new byte[bytes];
            new SecureRandom().nextBytes(random);
            Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            Files.deleteIfExists(temporary);
            open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
                    .close();
            Files.writeString(temporary, HexFormat.of().formatHex(random), StandardOpenOption.SYNC);
            Files.move(temporary, file);
        }
        return Files.readString(file, StandardCharsets.UTF_8).trim();
    }

    /** Whether users other than this one, and outside its group, can read it or what is in it; false if nobody knows. */
    public static boolean isOpenToOthers(Path path) throws IOException {
        return POSIX
                && Files.getPosixFilePermissions(path).stream()
                        .anyMatch(permission -> permission == PosixFilePermission.OTHERS_READ
                                || permission == PosixFilePermission.OTHERS_EXECUTE);
    }

    private static FileAttribute<?>[] attributes(String permissions) {
        return POSIX
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
