package io.talosgateway.verifier;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.talosgateway.loadgen.cli.Credentials;
import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.http.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Where a cluster is, and the script that does things to its hosts. */
final class VerifiedClusterTest {

    @TempDir
    private Path directory;

    private void write(String text) throws Exception {
        Files.writeString(directory.resolve(VerifiedCluster.FILE), text);
    }

    private static Endpoint endpoint(int port) {
        return new Endpoint(URI.create("http://127.0.0.1:" + port));
    }

    @Test
    void fileSaysWhatThereIs() throws Exception {
        write("""
                cluster.script=/opt/cluster.sh
                networks=true
                gateways=gateway-1, gateway-2
                datanodes=datanode-1
                gateway-1.endpoint=http://127.0.0.1:81
                gateway-1.ops=http://127.0.0.1:91
                gateway-2.endpoint=http://127.0.0.1:82
                gateway-2.ops=http://127.0.0.1:92
                access.key-id=id
                access.secret=secret
                """);

        assertThat(VerifiedCluster.read(directory))
                .isEqualTo(new VerifiedCluster(
                        new FaultScript(Path.of("/opt/cluster.sh"), directory),
                        true,
                        List.of(
                                new VerifiedCluster.Gateway("gateway-1", endpoint(81), endpoint(91)),
                                new VerifiedCluster.Gateway("gateway-2", endpoint(82), endpoint(92))),
                        List.of("datanode-1"),
                        new Credentials("id", "secret")));
    }

    @Test
    void whatIsMissingIsSaid() throws Exception {
        assertThatThrownBy(() -> VerifiedCluster.read(directory))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining("There is no cluster in " + directory)
                .hasMessageContaining("deploy/local-cluster.sh up");
        write("datanodes=\n");
        assertThatThrownBy(() -> VerifiedCluster.read(directory)).hasMessageContaining("1 to 255 gateways, not 0");
        write("gateways=gateway-1\n");
        assertThatThrownBy(() -> VerifiedCluster.read(directory))
                .hasMessageContaining("does not say gateway-1.endpoint");
        write("gateways=gateway-1\ngateway-1.endpoint=a b\n");
        assertThatThrownBy(() -> VerifiedCluster.read(directory))
                .hasMessageContaining("gateway-1.endpoint is not an address");
    }

    @Test
    void scriptIsRunWithCommandHostAndFolder() throws Exception {
        Path script = script("echo \"$*\" > \"$4/line\"");

        new FaultScript(script, directory).run("kill", "gateway-1", List.of());

        assertThat(directory.resolve("line")).hasContent("kill gateway-1 --dir " + directory + "\n");
    }

    @Test
    void failureOfTheScriptIsSaid() throws Exception {
        Path script = script("echo there is no gateway-9; exit 4");

        assertThatThrownBy(() -> new FaultScript(script, directory).run("kill", "gateway-9", List.of()))
                .isInstanceOf(LoadFailure.class)
                .hasMessage(
                        "'%s kill gateway-9 --dir %s' ended with status 4: there is no gateway-9", script, directory);
        assertThatThrownBy(
                        () -> new FaultScript(directory.resolve("none"), directory).run("kill", "gateway-1", List.of()))
                .isInstanceOf(LoadFailure.class)
                .hasMessageContaining(directory.resolve("none").toString());
    }

    private Path script(String line) throws Exception {
        Path script = directory.resolve("cluster.sh");
        Files.writeString(script, "#!/bin/sh\n" + line + "\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }
}
