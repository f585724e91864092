package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

import io.talosgateway.wire.message.ByteSlice;

/**
 * The content of a {@code MANIFEST}: which files of a journal count. All others are deleted, so nothing is taken for a list that
 * is not a whole one.
 *
 * <pre>
 *  TGM1
 *  name of a file, one on each line
 *  END, number of names, CRC32C of all bytes before this line as 8 hexadecimal digits
 * </pre>
 *
 * Stateless.
 */
final class Manifest {

    private static final String MAGIC = "TGM";
    private static final String VERSION = "1";
    private static final String END = "END ";

    private Manifest() {}

    static ByteSlice encode(List<String> names) {
        StringBuilder text = new StringBuilder(MAGIC).append(VERSION).append('\n');
        names.forEach(name -> text.append(name).append('\n'));
        return ByteSlice.utf8(text + endLine(text.toString(), names.size()));
    }

    /** @throws IOException with a sentence for the operator if this is not a whole manifest of this version */
    static Set<String> decode(ByteSlice content, String path) throws IOException {
        String text = content.utf8();
        List<String> lines = new ArrayList<>(text.lines().toList());
        String first = lines.isEmpty() ? "" : lines.get(0);
        if (first.matches(MAGIC + "\\d+") && !first.equals(MAGIC + VERSION)) {
            throw new IOException(
                    "%s was written by another version of the gateway: its format is %s, this one reads %s. Start the version that wrote it."
                            .formatted(path, first.substring(MAGIC.length()), VERSION));
        }
        int endAt = text.lastIndexOf(END);
        if (!first.equals(MAGIC + VERSION)
                || endAt < 0
                || !text.substring(endAt).equals(endLine(text.substring(0, endAt), lines.size() - 2))) {
            throw new IOException(
                    "%s is damaged or incomplete (%d bytes), so that nobody knows which files of the journal count. Restore it from a backup; nothing was deleted."
                            .formatted(path, content.length()));
        }
        return Set.copyOf(lines.subList(1, lines.size() - 1));
    }

    private static String endLine(String before, int names) {
        ByteSlice bytes = ByteSlice.utf8(before);
        CRC32C crc = new CRC32C();
        crc.update(bytes.array(), bytes.offset(), bytes.length());
        return "%s%d %08x\n".formatted(END, names, crc.getValue());
    }
}
