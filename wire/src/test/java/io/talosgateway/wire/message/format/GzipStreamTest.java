package io.talosgateway.wire.message.format;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.zip.GZIPOutputStream;

import io.talosgateway.wire.message.ByteSlice;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

final class GzipStreamTest {

    private static final String NOTHING = "";

    private final ByteArrayOutputStream members = new ByteArrayOutputStream();

    private GzipStreamTest add(String content, int times) throws IOException {
        ByteArrayOutputStream member = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(member)) {
            gzip.write(content.getBytes(UTF_8));
        }
        for (int time = 0; time < times; time++) {
            members.writeBytes(member.toByteArray());
        }
        return this;
    }

    private String read() throws IOException {
        try (GzipStream in = new GzipStream(new ByteSlice(members.toByteArray()))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void membersAreReadOneAfterTheOther() throws IOException {
        add("one ", 1000).add(NOTHING, 50).add("two", 1);
        assertThat(read()).isEqualTo("one ".repeat(1000) + "two");
    }

    /** They would fill the stack. */
    @Test
    void trainOfMembersThatHoldNothingIsRefused() throws IOException {
        add("one", 1).add(NOTHING, 100_000).add("two", 1);
        assertThatExceptionOfType(IOException.class).isThrownBy(this::read);
    }

    @Test
    void blockThatIsSuchATrainIsUndecodable() throws IOException {
        add(NOTHING, 100_000);
        ByteSlice train = new ByteSlice(members.toByteArray());
        assertThatExceptionOfType(UndecodableBlockException.class)
                .isThrownBy(() -> Compression.GZIP.decompress(train, 1 << 20, more -> true));
        assertThatExceptionOfType(UndecodableBlockException.class)
                .isThrownBy(() -> Compression.GZIP.decompressFirst(train, 100, 1 << 20, more -> true));
    }
}
