package io.talosgateway.rest.journal.hdfs;

import java.io.IOException;

import io.talosgateway.rest.journal.BlockUnavailableException;
import io.talosgateway.rest.journal.StorageFailures;
import io.talosgateway.rest.journal.StorageFullException;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.hdfs.BlockMissingException;
import org.apache.hadoop.hdfs.CannotObtainBlockLengthException;
import org.apache.hadoop.ipc.RemoteException;

/** Makes one kind of exception of the many that Hadoop's file systems throw. Stateless. */
final class StorageErrors {

    private StorageErrors() {}

    /** Something that may fail in Hadoop's ways. */
    @FunctionalInterface
    interface StorageCall<T> {
        T call() throws IOException;
    }

    /** Something without a result that may fail in Hadoop's ways. */
    @FunctionalInterface
    interface StorageAction {
        void run() throws IOException;
    }

    static void run(StorageAction action) throws IOException {
        call(() -> {
            action.run();
            return true;
        });
    }

    /**
     * @throws StorageFullException if there is no room
     * @throws BlockUnavailableException if no DataNode that is up has what is to be read
     */
    static <T> T call(StorageCall<T> call) throws IOException {
        try {
            return call.call();
        } catch (IOException e) {
            throw unwrapped(e);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new IOException(e.toString(), e);
        }
    }

    private static IOException unwrapped(IOException failure) {
        IOException cause = failure instanceof RemoteException remote ? remote.unwrapRemoteException() : failure;
        if (cause instanceof BlockMissingException || cause instanceof CannotObtainBlockLengthException) {
            return new BlockUnavailableException(
                    "No DataNode that is up has a block: start those that are down (%s)"
                            .formatted(StorageFailures.firstLine(cause)),
                    cause);
        }
        return isFull(cause) ? new StorageFullException(StorageFailures.firstLine(cause), cause) : cause;
    }

    private static boolean isFull(IOException failure) {
        if (failure instanceof ClusterStorageCapacityExceededException) {
            return true;
        }
        String message = String.valueOf(failure.getMessage());
        return StorageFailures.isFullDisk(failure)
                // The NameNode found no DataNode with room; without any, or with some that we could not reach, it is an
                // outage.
                || (message.contains("could only be written to 0 of")
                        && message.contains("and no node(s) are excluded")
                        && !message.contains("There are 0 datanode(s)"));
    }
}
