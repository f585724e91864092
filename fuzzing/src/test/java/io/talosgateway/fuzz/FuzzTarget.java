package io.talosgateway.fuzz;

import java.util.List;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A decoder, and what must hold for whatever bytes it is given.
 *
 * @param name unique
 * @param seeds valid inputs, made by the encoder
 * @param decoder throws nothing, and returns null for input that it refuses as documented; the same for the same input
 * @param check throws if something does not hold for what was decoded; neither its time nor its memory counts
 * @param repair makes the checksums of a mutated input right, so that what is behind them is decoded
 * @param memory most bytes that decoding may allocate
 */
public record FuzzTarget<T>(
        String name,
        List<byte[]> seeds,
        Decoder<T> decoder,
        Check<T> check,
        UnaryOperator<byte[]> repair,
        Memory memory) {

    /** Refuses what is not valid. */
    @FunctionalInterface
    public interface Decoder<T> {
        @Nullable
        T decode(byte[] input) throws Exception;
    }

    /** Looks at what was decoded. */
    @FunctionalInterface
    public interface Check<T> {
        void check(T decoded) throws Exception;
    }

    /**
     * Allocations in proportion to the input.
     *
     * @param factor allocated bytes for each byte of the input
     * @param base and so many beside
     */
    public record Memory(int factor, long base) {

        /** Objects, texts in UTF-16 and the stack trace of an exception. */
        static final Memory DEFAULT = new Memory(128, 256 * 1024);

        long bytes(int inputLength) {
            return base + (long) factor * inputLength;
        }
    }

    public static <T> FuzzTarget<T> of(String name, List<byte[]> seeds, Decoder<T> decoder) {
        return new FuzzTarget<>(name, List.copyOf(seeds), decoder, decoded -> {}, input -> input, Memory.DEFAULT);
    }

    public FuzzTarget<T> checked(Check<T> newCheck) {
        return new FuzzTarget<>(name, seeds, decoder, newCheck, repair, memory);
    }

    public FuzzTarget<T> repaired(UnaryOperator<byte[]> newRepair) {
        return new FuzzTarget<>(name, seeds, decoder, check, newRepair, memory);
    }

    public FuzzTarget<T> allocating(int factor, long base) {
        return new FuzzTarget<>(name, seeds, decoder, check, repair, new Memory(factor, base));
    }

    @Override
    public String toString() {
        return name;
    }
}
