package io.talosgateway.loadgen.experiment;

import java.nio.file.Files;
import java.nio.file.Path;

import io.talosgateway.loadgen.cli.LoadFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class BenchmarkLibsTest {

    @TempDir
    private Path tree;

    private Path home() throws Exception {
        return Files.createDirectories(tree.resolve("deploy/target/talos-gateway"));
    }

    private Path script(int status) throws Exception {
        Path script = Files.createDirectories(tree.resolve("benchmarks")).resolve("kit.sh");
        return Files.writeString(script, "[ \"$1\" = --check ] && exit %d%nexit 1%n".formatted(status));
    }

    @Test
    void kitOfTheTreeThatTheDistributionWasBuiltInIsUsed() throws Exception {
        script(0);

        assertThat(BenchmarkLibs.find(null, home())).isEqualTo(tree.resolve("benchmarks/target/benchmarks"));
    }

    @Test
    void kitThatIsOlderThanItsSourcesIsRefusedWithWhatBuildsIt() throws Exception {
        Path script = script(3);

        assertThatThrownBy(() -> BenchmarkLibs.find(null, home()))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining("Build it with %s, and try again", script);
    }

    @Test
    void kitThatIsNamedIsNotLookedAfter() throws Exception {
        script(3);
        Path named = tree.resolve("elsewhere");
        Files.createDirectories(named.resolve("lib"));

        assertThat(BenchmarkLibs.find(named, home())).isEqualTo(named);
    }

    @Test
    void nameOfNoKitIsRefused() {
        assertThatThrownBy(() -> BenchmarkLibs.find(tree.resolve("no"), home()))
                .isInstanceOf(LoadFailure.class)
                .hasMessageStartingWith("--kit: there is no folder " + tree.resolve("no/lib"));
    }

    @Test
    void distributionWithoutASourceTreeSaysWhatToDo() {
        assertThatThrownBy(() -> BenchmarkLibs.find(null, home()))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining("of a source tree")
                .hasMessageContaining("--kit")
                .hasMessageContaining("--storage file");
    }
}
