package io.talosgateway.rest.journal;

import java.io.IOException;
import java.nio.file.FileSystemException;

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

    /** Of its message; empty if that is, and "null" if there is none. */
    public static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }
}
