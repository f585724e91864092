package io.talosgateway.powercut;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads what {@link Recorder} has written, after its process is gone. */
final class Trace {

    /** One record; see {@link Recorder} for the meaning of each kind's numbers. */
    record Operation(int kind, long first, long second, ByteBuffer data, ByteBuffer more) {

        String text() {
            return StandardCharsets.UTF_8.decode(data.duplicate()).toString();
        }

        String moreText() {
            return StandardCharsets.UTF_8.decode(more.duplicate()).toString();
        }
    }

    /** Is told every record, in order. */
    @FunctionalInterface
    interface Listener {
        void operation(long number, Operation operation);
    }

    private Trace() {}

    /** @return the number of records */
    static long read(Path directory, Listener listener) throws IOException {
        long number = 0;
        for (int index = 0; ; index++) {
            Path path = directory.resolve("trace-" + index);
            if (!Files.exists(path)) {
                return number;
            }
            try (FileChannel channel = FileChannel.open(path)) {
                ByteBuffer file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                        .order(ByteOrder.nativeOrder());
                int start = 0;
                int bytes = file.getInt(start);
                while (bytes > 0) {
                    int length = file.getInt(start + 24);
                    listener.operation(
                            number++,
                            new Operation(
                                    file.getInt(start + 4),
                                    file.getLong(start + 8),
                                    file.getLong(start + 16),
                                    file.slice(start + Recorder.HEADER_BYTES, length),
                                    file.slice(start + Recorder.HEADER_BYTES + length, file.getInt(start + 28))));
                    start += bytes;
                    bytes = file.getInt(start);
                }
                if (bytes != Recorder.NEXT_FILE) {
                    return number;
                }
            }
        }
    }
}
