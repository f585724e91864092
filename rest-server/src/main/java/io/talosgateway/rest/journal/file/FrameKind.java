package io.talosgateway.rest.journal.file;

import org.jspecify.annotations.Nullable;

/** What a frame holds. */
enum FrameKind {
    /** First of a file: which file it is, and where its lane's partitions end. */
    START(1),
    /** The blocks of one put. */
    MESSAGES(2),
    /** Last of a sealed file: the index. */
    FOOTER(3),
    /** Zeros, up to where a chunk of the storage begins. */
    PADDING(4);

    private final int code;

    FrameKind(int code) {
        this.code = code;
    }

    byte code() {
        return (byte) code;
    }

    static @Nullable FrameKind ofCode(byte code) {
        for (FrameKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        return null;
    }
}
