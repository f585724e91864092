package io.talosgateway.rest.journal;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class ManifestTest {

    private static final List<String> NAMES = List.of("days-0-00000000.journal", "days-0-00000001.journal");

    @Test
    void namesAreTheSameAfterEncodingAndDecoding() throws IOException {
        assertThat(Manifest.encode(NAMES).utf8())
                .isEqualTo("TGM1\ndays-0-00000000.journal\ndays-0-00000001.journal\nEND 2 8ca3ef85\n");
        assertThat(decode(Manifest.encode(NAMES))).containsExactlyInAnyOrderElementsOf(NAMES);
        assertThat(decode(Manifest.encode(List.of()))).isEmpty();
    }

    @Test
    void noPartOfAManifestIsTakenForOne() {
        byte[] whole = Manifest.encode(NAMES).toByteArray();
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
        byte[] whole = Manifest.encode(NAMES).toByteArray();
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
                .hasMessageContaining("its format is 12, this one reads 1. Start the version that wrote it.");
    }

    private static Set<String> decode(ByteSlice content) throws IOException {
        return Manifest.decode(content, "j/MANIFEST");
    }
}
