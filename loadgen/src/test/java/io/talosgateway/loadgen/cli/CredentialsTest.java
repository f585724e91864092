package io.talosgateway.loadgen.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class CredentialsTest {

    @TempDir
    private Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("keys.json"), content);
    }

    @Test
    void firstKeyOfTheFileIsTakenBeforeTheVariable() throws Exception {
        Path file =
                file("{\"keys\":[{\"id\":\"A\",\"secret\":\"s:1\",\"owner\":\"o\"},{\"id\":\"B\",\"secret\":\"t\"}]}");

        assertThat(Credentials.choose(file, "C:u")).isEqualTo(new Credentials("A", "s:1"));
    }

    @Test
    void variableHoldsIdAndSecret() {
        assertThat(Credentials.choose(null, " C:u:v\n")).isEqualTo(new Credentials("C", "u:v"));
        assertThat(Credentials.choose(null, null)).isNull();
        assertThat(Credentials.choose(null, "  ")).isNull();
        assertThatThrownBy(() -> Credentials.choose(null, "no-colon")).hasMessage("$TALOS_KEY must be ID:SECRET");
    }

    @Test
    void fileWithoutAKeyIsRefused() throws Exception {
        Path empty = file("{\"keys\":[]}");
        assertThatThrownBy(() -> Credentials.choose(empty, null)).hasMessage("There is no key in " + empty);

        Path text = file("key");
        assertThatThrownBy(() -> Credentials.choose(text, null)).hasMessageContaining("is not a key file");

        Path none = directory.resolve("none");
        assertThatThrownBy(() -> Credentials.choose(none, null)).hasMessage("There is no key file " + none);
    }

    @Test
    void secretIsNotShown() {
        assertThat(new Credentials("A", "hidden").toString()).contains("A").doesNotContain("hidden");
        assertThat(new Credentials("A", "b").authorization()).isEqualTo("Basic QTpi");
    }
}
