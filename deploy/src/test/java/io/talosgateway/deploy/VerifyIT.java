package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** {@code talos-loadgen verify} of the distribution, against a cluster of one gateway that is killed meanwhile. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class VerifyIT {

    @TempDir
    private Path directory;

    private GatewayProcess gateway;

    @BeforeEach
    void startCluster() throws Exception {
        gateway = GatewayProcess.start(Files.createDirectory(directory.resolve("data")), Map.of());
        Files.writeString(directory.resolve("gateway.pid"), Long.toString(gateway.pid()));
        Files.writeString(directory.resolve("cluster.properties"), """
                cluster.script=%s
                gateways=gateway-1
                datanodes=
                gateway-1.endpoint=%s
                gateway-1.ops=http://127.0.0.1:%d
                access.key-id=%s
                access.secret=%s
                """.formatted(
                        script(),
                        gateway.endpoint(),
                        gateway.opsPort(),
                        gateway.key().id(),
                        gateway.key().secret()));
    }

    /** What a cluster's script has to be able to do, for one gateway. */
    private Path script() throws Exception {
        Path script = directory.resolve("cluster.sh");
        Files.writeString(script, """
                #!/bin/sh
                set -eu
                [ "$2 $3" = "gateway-1 --dir" ]
                case $1 in
                    kill) kill -9 "$(cat "$4/gateway.pid")" ;;
                    start)
                        JAVA_HOME='%s' TALOS_SERVER_JAVA_OPTS=-Xmx512m '%s/bin/talos-gateway' server \\
                            --set data.directory="$4/data" --set http.port=%s --set ops.port=%d \\
                            > "$4/gateway.log" 2>&1 < /dev/null &
                        echo $! > "$4/gateway.pid"
                        ;;
                    *) exit 2 ;;
                esac
                """.formatted(
                        System.getProperty("java.home"),
                        GatewayProcess.DISTRIBUTION,
                        gateway.endpoint().replaceAll(".*:", ""),
                        gateway.opsPort()));
        assertThat(script.toFile().setExecutable(true)).isTrue();
        return script;
    }

    @AfterEach
    void stopCluster() throws Exception {
        gateway.close();
        ProcessHandle.of(pid()).ifPresent(process -> {
            process.destroyForcibly();
            process.onExit().join();
        });
    }

    private long pid() throws Exception {
        return Long.parseLong(Files.readString(directory.resolve("gateway.pid")).strip());
    }

    @Test
    void gatewayThatIsKilledKeepsItsPromises() throws Exception {
        Path output = directory.resolve("verify.txt");
        Path file = directory.resolve("report.json");
        Process verify = GatewayProcess.run(
                "talos-loadgen",
                output,
                List.of(
                        "verify",
                        "--cluster",
                        directory.toString(),
                        "--duration",
                        "12s",
                        "--faults",
                        "kill",
                        "--fault-every",
                        "8s",
                        "--partitions",
                        "4",
                        "--put-rate",
                        "300",
                        // A loaded machine may be slow; this is about what is stored.
                        "--tolerance",
                        "5s",
                        "--seed",
                        "2",
                        "--report",
                        file.toString()),
                Map.of("TALOS_LOADGEN_JAVA_OPTS", "-Xmx128m"));
        try {
            assertThat(verify.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(verify.exitValue()).as(Files.readString(output)).isZero();
        } finally {
            verify.destroyForcibly();
        }

        assertThat(Files.readString(output)).contains("\nGOOD\n");
        JsonNode report = new ObjectMapper().readTree(file.toFile());
        assertThat(report.path("faults")).hasSize(1);
        JsonNode fault = report.path("faults").get(0);
        assertThat(fault.path("kind").asText()).isEqualTo("kill");
        assertThat(fault.path("longestGapSeconds").asDouble())
                .isGreaterThan(fault.path("downSeconds").asDouble());
        assertThat(report.path("counts").path("puts").asLong()).isPositive();
        assertThat(report.path("counts")
                        .path("attemptsRefused")
                        .path("not-connected")
                        .asLong())
                .isPositive();
        assertThat(pid()).isNotEqualTo(gateway.pid());
    }
}
