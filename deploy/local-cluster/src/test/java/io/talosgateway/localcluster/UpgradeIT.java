package io.talosgateway.localcluster;

import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * All gateways are upgraded, one after another, behind a load balancer, and then put back. {@code -Drolling.from=DIRECTORY}: a built
 * working copy of an earlier commit. Restarts without an upgrade are a part of {@link ConsumerGroupIT}.
 */
@Tag("by-hand")
final class UpgradeIT {

    private static final int GATEWAYS = 3;

    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    private ClusterScript cluster;
    private LoadBalancer balancer;
    private SteadyUsers users;

    @BeforeEach
    void up() throws Exception {
        cluster = new ClusterScript(directory);
        List<String> up = new ArrayList<>(List.of("up", "--gateways", String.valueOf(GATEWAYS), "--datanodes", "2"));
        up.addAll(SteadyUsers.PATIENCE);
        new ClusterScript(directory, Path.of(System.getProperty("rolling.from"), "deploy", "local-cluster.sh"))
                .succeed(up.toArray(String[]::new));
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(cluster.folder().resolve("cluster.properties"))) {
            properties.load(reader);
        }
        balancer = LoadBalancer.of(properties, GATEWAYS);
        users = new SteadyUsers(
                balancer.endpoint(), properties.getProperty("access.key-id"), properties.getProperty("access.secret"));
    }

    @AfterEach
    void down() throws Exception {
        users.stop();
        balancer.close();
        cluster.down();
    }

    @Test
    void usersSeeNoErrorOfAnUpgradeAndTheWayBack() throws Exception {
        Path script = cluster.folder().resolve("programs/talos-gateway/bin/talos-gateway");
        Path earlier = Files.copy(script, script.resolveSibling("earlier"), StandardCopyOption.COPY_ATTRIBUTES);
        users.start();

        Files.writeString(script, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(ClusterScript.GATEWAY));
        restartAll();
        System.out.println("All gateways are upgraded");
        Files.copy(earlier, script, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
        restartAll();

        users.stop();
        users.assertNobodySawAnything();
    }

    private void restartAll() throws Exception {
        for (int number = 1; number <= GATEWAYS; number++) {
            cluster.succeed("restart", "gateway-" + number);
        }
    }
}
