package io.talosgateway.loadgen.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * A tally as text, whole: each histogram in the compressed form of HdrHistogram, in Base64, so that percentiles of several
 * processes together are those of all requests.
 */
public record TallyText(
        String latency, String refusal, long messages, long bytes, long empty, List<Tally.ErrorCount> errors) {

    public static TallyText of(Tally tally) {
        return new TallyText(
                text(tally.latency()),
                text(tally.refusal()),
                tally.messages(),
                tally.bytes(),
                tally.empty(),
                tally.errors());
    }

    /** @throws IllegalArgumentException if it is damaged */
    public Tally tally() {
        return new Tally(histogram(latency), histogram(refusal), messages, bytes, empty, errors);
    }

    private static String text(Histogram histogram) {
        ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Histogram histogram(String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), Tally.HIGHEST_NANOS);
        } catch (DataFormatException e) {
            throw new IllegalArgumentException("a histogram is damaged", e);
        }
    }
}
