package io.talosgateway.rest.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, written as {@code 64MiB}: binary units B, KiB, MiB, GiB, TiB. */
public record DataSize(long toBytes) {

    private static final Pattern FORM = Pattern.compile("(\\d{1,12})\\s*([KMGT]i)?B?", Pattern.CASE_INSENSITIVE);

    public DataSize {
        if (toBytes < 0) {
            throw new IllegalArgumentException("a size cannot be negative: " + toBytes);
        }
    }

    public static DataSize ofKiB(long kibibytes) {
        return new DataSize(kibibytes << 10);
    }

    public static DataSize ofMiB(long mebibytes) {
        return new DataSize(mebibytes << 20);
    }

    /** @throws IllegalArgumentException with a sentence for the user if the text is not a size */
    public static DataSize parse(String text) {
        Matcher matcher = FORM.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size: write it like 64MiB, 512KiB or 1048576B");
        }
        String unit =
                matcher.group(2) == null ? "" : matcher.group(2).substring(0, 1).toUpperCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : 10 * ("KMGT".indexOf(unit) + 1);
        return new DataSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift));
    }

    /** The size as an array length. */
    public int toBytesInt() {
        return Math.toIntExact(toBytes);
    }

    @Override
    public String toString() {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        int unit = 0;
        long value = toBytes;
        while (unit < units.length - 1 && value != 0 && value % 1024 == 0) {
            value /= 1024;
            unit++;
        }
        return value + units[unit];
    }
}
