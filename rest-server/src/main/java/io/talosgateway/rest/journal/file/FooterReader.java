package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.nio.ByteBuffer;

import io.talosgateway.rest.journal.JournalStorage;
import io.talosgateway.rest.journal.JournalStorage.ReadFile;
import io.talosgateway.wire.message.ByteSlice;
import org.jspecify.annotations.Nullable;

/**
 * Reads the footers of sealed files. The last bytes of a file that is not sealed may be a client's, made to look like a footer
 * and its trailer; so a footer is believed only if it is this file's own: it has the tag of the file's first frame, which no
 * client can know, it is a {@link FrameKind#FOOTER}, and its copy of the start record names this file.
 *
 * <p>Stateless; for any thread.
 */
public final class FooterReader {

    /** The file has no whole start: its scan found nothing in it, or its damage was accepted. */
    private static final @Nullable Integer NO_TAG = null;

    private final JournalStorage storage;

    public FooterReader(JournalStorage storage) {
        this.storage = storage;
    }

    /** The file with the footer at its end, or null if it has none of its own: it is not sealed. */
    @Nullable
    public JournalFile inside(JournalFileId id) throws IOException {
        try (ReadFile file = storage.openUnchecked(id.path())) {
            Integer tag = tag(id, file);
            return tag == null ? null : footer(id, id.path(), file, tag);
        }
    }

    /**
     * The file with the footer beside it, which there has to be.
     *
     * @throws IOException if that is damaged, or another file's
     */
    public JournalFile beside(JournalFileId id) throws IOException {
        Integer tag;
        try (ReadFile file = storage.openUnchecked(id.path())) {
            tag = tag(id, file);
        }
        String path = id.detachedFooterPath();
        try (ReadFile file = storage.open(path)) {
            FrameHeader.refuseOtherVersion(read(file, 0, Integer.BYTES), path);
            JournalFile found = footer(id, path, file, NO_TAG);
            if (found == null || !(tag == null || tag == found.tag() || isEmpty(found))) {
                throw new IOException("%s in %s is damaged, or is not the footer of %s: restore both from a backup"
                        .formatted(path, storage.location(), id));
            }
            return found;
        }
    }

    /** Of a file of which not even the first frame was found whole; its header may be. */
    private static boolean isEmpty(JournalFile file) {
        JournalFile.Sealed sealed = file.sealedIndex();
        return file.tag() == 0 && sealed != null && sealed.footer().dataEnd() == 0;
    }

    /** The tag in the first frame of a file: all its frames have the same. */
    private static @Nullable Integer tag(JournalFileId id, ReadFile file) throws IOException {
        ByteBuffer first = read(file, 0, FrameHeader.FIXED_BYTES);
        FrameHeader.refuseOtherVersion(first, id);
        if (first.remaining() < FrameHeader.FIXED_BYTES) {
            return NO_TAG;
        }
        FrameHeader start = FrameHeader.decode(first, FrameHeader.fileTag(first));
        return start != null && start.kind() == FrameKind.START ? (Integer) start.fileTag() : NO_TAG;
    }

    private static @Nullable JournalFile footer(JournalFileId id, String path, ReadFile file, @Nullable Integer tag)
            throws IOException {
        long length = file.length();
        if (length < Trailer.BYTES) {
            return null;
        }
        Trailer trailer = Trailer.decode(read(file, length - Trailer.BYTES, Trailer.BYTES));
        if (trailer == null
                || (tag != null && trailer.fileTag() != tag)
                || trailer.footerPosition() < 0
                || trailer.footerPosition() > length - Trailer.BYTES) {
            return null;
        }
        ByteBuffer frame = read(
                file, trailer.footerPosition(), Math.toIntExact(length - Trailer.BYTES - trailer.footerPosition()));
        FrameHeader header = FrameHeader.decode(frame, trailer.fileTag());
        if (header == null || header.kind() != FrameKind.FOOTER || header.frameLength() != frame.remaining()) {
            return null;
        }
        ByteBuffer body = frame.slice(header.headerLength(), header.bodyLength());
        if (FrameHeader.checksum(body, 0, header.bodyLength()) != header.bodyChecksum()) {
            return null;
        }
        Footer footer = Footer.decode(body);
        long bodyPosition = trailer.footerPosition() + header.headerLength();
        return footer.start().file().equals(id)
                ? JournalFile.sealed(id, trailer.fileTag(), new JournalFile.Sealed(footer, path, bodyPosition))
                : null;
    }

    private static ByteBuffer read(ReadFile file, long position, int length) throws IOException {
        byte[] bytes = new byte[length];
        int read = file.read(position, bytes, 0, length);
        return new ByteSlice(bytes, 0, Math.max(read, 0)).toByteBuffer();
    }
}
