package io.talosgateway.rest.journal;

import java.io.IOException;
import java.nio.file.FileSystemException;

import org.jspecify.annotations.Nullable;

/** What exceptions of file systems say. Stateless. */
public final class StorageFailures {

    private StorageFailures() {}

    /** Whether a local disk, or this user's share of it, is full. */
    public static boolean isFullDisk(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return message.contains("No space left on device") || message.contains("Disk quota exceeded");
    }

    /** Why something failed, in a few words for an operator: what the innermost cause says. */
    public static String reason(Throwable failure) {
        Throwable innermost = failure;
        while (innermost.getCause() != null) {
            innermost = innermost.getCause();
        }
        if (innermost instanceof FileSystemException files && files.getReason() != null) {
            return files.getReason();
        }
        String line = firstLine(innermost);
        return line.isEmpty() || line.equals("null") || innermost instanceof FileSystemException
                ? innermost.getClass().getSimpleName() + " " + line
                : line;
    }

    public static String firstLine(@Nullable Throwable failure) {
        return String.valueOf(failure == null ? null : failure.getMessage())
                .lines()
                .findFirst()
                .orElse("");
    }
}
