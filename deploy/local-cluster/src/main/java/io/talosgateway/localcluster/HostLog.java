package io.talosgateway.localcluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;

/** The log of a host, which goes on from one of its processes to the next. */
record HostLog(Path file) {

    private static final int TAIL_BYTES = 16 << 10;
    private static final int TAIL_LINES = 4;
    private static final int LINE_LENGTH = 300;
    private static final Pattern DETAIL = Pattern.compile("\\s+at .*|\\s+\\.\\.\\. .*|\\s*|.*SHUTDOWN_MSG.*|[*/]+");

    /** Notes what is done to the host, between the lines that it writes itself. */
    void note(String event) throws IOException {
        Files.writeString(
                file,
                "---- local-cluster: %s ----%n".formatted(event),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND);
    }

    /** The last lines that tell something: no stack traces. */
    List<String> lastLines() throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(Math.min(TAIL_BYTES, log.length()))];
            log.seek(log.length() - bytes.length);
            log.readFully(bytes);
            List<String> lines = new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !DETAIL.matcher(line).matches())
                    .map(line -> line.length() > LINE_LENGTH ? line.substring(0, LINE_LENGTH) + "..." : line)
                    .toList();
            return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
        }
    }
}
