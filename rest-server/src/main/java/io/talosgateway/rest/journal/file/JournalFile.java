package io.talosgateway.rest.journal.file;

import java.util.Collection;
import java.util.concurrent.CompletableFuture;

import io.talosgateway.rest.journal.JournalFencedException;
import io.talosgateway.rest.topic.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * A journal file: which one it is, and its index, which is in memory as a whole while the file is written and in the
 * file's footer once it is sealed. Safe for use by any thread; equal only to itself.
 */
public final class JournalFile {

    private final JournalFileId id;
    private final int tag;
    private final CompletableFuture<Void> whenSealed = new CompletableFuture<>();
    private volatile Index index;

    /** Where the index is. */
    private sealed interface Index permits Live, Sealed {}

    private record Live(FileIndex frames) implements Index {}

    /**
     * @param path the file that holds the footer: the journal file, or one beside it
     * @param bodyPosition where the footer's body starts in it
     */
    public record Sealed(Footer footer, String path, long bodyPosition) implements Index {}

    private JournalFile(JournalFileId id, int tag, Index index) {
        this.id = id;
        this.tag = tag;
        this.index = index;
        if (index instanceof Sealed) {
            whenSealed.complete(null);
        }
    }

    public static JournalFile live(int tag, FileIndex index) {
        return new JournalFile(index.start().file(), tag, new Live(index));
    }

    public static JournalFile sealed(JournalFileId id, int tag, Sealed index) {
        return new JournalFile(id, tag, index);
    }

    public JournalFileId id() {
        return id;
    }

    public int tag() {
        return tag;
    }

    /** The whole index while the file is not sealed, else null. */
    @Nullable
    public FileIndex liveIndex() {
        return index instanceof Live live ? live.frames : null;
    }

    /** Where the index is once the file is sealed, else null. */
    @Nullable
    public Sealed sealedIndex() {
        return index instanceof Sealed sealed ? sealed : null;
    }

    void seal(Sealed sealed) {
        index = sealed;
        whenSealed.complete(null);
    }

    /** Another incarnation has ended the file, so that this one never will. */
    void leaveToOthers() {
        whenSealed.completeExceptionally(new JournalFencedException(id.journal()));
    }

    /** Completes when the file is sealed, by the thread that does it; fails if another incarnation has ended it. */
    public CompletableFuture<Void> whenSealed() {
        return whenSealed;
    }

    public StartRecord start() {
        Index current = index;
        return current instanceof Live live ? live.frames.start() : ((Sealed) current).footer.start();
    }

    public Collection<TopicPartition> partitions() {
        Index current = index;
        return current instanceof Live live
                ? live.frames.partitions()
                : ((Sealed) current).footer.partitions().keySet();
    }

    /** What of the partition is in the file, or null for nothing. */
    @Nullable
    public PartitionExtent extent(TopicPartition partition) {
        Index current = index;
        return current instanceof Live live
                ? live.frames.extent(partition)
                : ((Sealed) current).footer.extent(partition);
    }

    /** Whether it is worth finding out whether it can be deleted: false while it is not sealed. */
    public boolean mayBeExpired(ExpiryCheck expiry) {
        Sealed sealed = sealedIndex();
        return sealed != null
                && sealed.footer().partitions().values().stream()
                        .map(Footer.SealedPartition::extent)
                        .allMatch(extent ->
                                expiry.mayBeExpired(extent.partition(), extent.endOffset(), extent.lastTimeMs()));
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
