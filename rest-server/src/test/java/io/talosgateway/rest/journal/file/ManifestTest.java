package io.talosgateway.rest.journal.file;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import com.google.common.collect.ImmutableSet;
import io.talosgateway.rest.journal.JournalId;
import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ManifestTest {

    private static final List<String> NAMES = List.of("days-0-00000000.journal", "days-0-00000001.journal");
    private static final IndexFileName INDEX = new IndexFileName("days-1", 3, 9, 0xabcdef01);
    private static final Manifest MANIFEST =
            new Manifest(ImmutableSet.copyOf(NAMES), Map.of(INDEX, sequences(3, 4, 5, 7, 9)));

    private static BitSet sequences(int... sequences) {
        BitSet set = new BitSet();
        IntStream.of(sequences).forEach(set::set);
        return set;
    }

    @Test
    void whatIsEncodedIsDecoded() throws IOException {
        assertThat(MANIFEST.encode().utf8())
                .isEqualTo(
                        "TGM2\nfile days-0-00000000.journal\nfile days-0-00000001.journal\nindex days-1-00000003-00000009-abcdef01.index 3-5,7,9\nEND 3 eb5479b5\n");
        assertThat(decode(MANIFEST.encode())).isEqualTo(MANIFEST);
        Manifest empty = new Manifest(ImmutableSet.of(), Map.of());
        assertThat(decode(empty.encode())).isEqualTo(empty);
    }

    @Test
    void filesThatCountAreThoseThatAreNamedAndThoseThatAreIndexed() {
        JournalId journal = new JournalId("h", 1);
        assertThat(MANIFEST.counts(new JournalFileId(journal, "days-0", 1))).isTrue();
        assertThat(MANIFEST.counts(new JournalFileId(journal, "days-0", 3))).isFalse();
        assertThat(MANIFEST.counts(new JournalFileId(journal, "days-1", 5))).isTrue();
        assertThat(MANIFEST.counts(new JournalFileId(journal, "days-1", 6))).isFalse();
    }

    @Test
    void manifestOfTheVersionBeforeIsRead() throws IOException {
        assertThat(decode(ByteSlice.utf8("TGM1\ndays-0-00000000.journal\ndays-0-00000001.journal\nEND 2 8ca3ef85\n")))
                .isEqualTo(new Manifest(ImmutableSet.copyOf(NAMES), Map.of()));
    }

    @Test
    void noPartOfAManifestIsTakenForOne() {
        byte[] whole = MANIFEST.encode().toByteArray();
        for (int length = 0; length < whole.length; length++) {
            ByteSlice part = new ByteSlice(whole, 0, length);
            assertThatThrownBy(() -> decode(part))
                    .as("%d bytes", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("j/MANIFEST is damaged or incomplete (%d bytes)", length);
        }
    }

    @Test
    void damageIsFoundWhereverItIs() {
        byte[] whole = MANIFEST.encode().toByteArray();
        for (int position = 0; position < whole.length; position++) {
            byte[] damaged = Arrays.copyOf(whole, whole.length);
            damaged[position] = (byte) (damaged[position] ^ 1);
            assertThatThrownBy(() -> decode(new ByteSlice(damaged)))
                    .as("byte %d", position)
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void listOfNamesAloneIsRefused() {
        assertThatThrownBy(() -> decode(ByteSlice.utf8(String.join("\n", NAMES) + "\n")))
                .hasMessageContaining("is damaged or incomplete");
    }

    @Test
    void manifestOfAnotherVersionIsRefused() {
        assertThatThrownBy(() -> decode(ByteSlice.utf8("TGM12\nsomething else")))
                .hasMessageContaining(
                        "its format is 12, this one reads 2 and earlier. Start the version that wrote it.");
    }

    /** Their checksums are right. */
    @Test
    void linesThatAreNotUnderstoodAreRefused() {
        String index = "index days-1-00000003-00000009-abcdef01.index ";
        for (String line : List.of(
                index + "x",
                index,
                index + "3-",
                index + "9-3",
                index + "1-2000000000",
                index + "99999999999",
                "file days-0",
                "file ../../keys.json")) {
            assertThatThrownBy(() -> decode(whole("TGM2\n" + line + "\n")))
                    .as(line)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has a line that is not understood: " + line);
        }
        assertThatThrownBy(() -> decode(whole("TGM1\ndays-0\n")))
                .hasMessageContaining("has a line that is not understood");
    }

    private static ByteSlice whole(String before) {
        ByteSlice bytes = ByteSlice.utf8(before);
        return ByteSlice.utf8("%sEND 1 %08x\n".formatted(before, Footer.checksum(bytes)));
    }

    private static Manifest decode(ByteSlice content) throws IOException {
        return Manifest.decode(content, "j/MANIFEST");
    }
}
