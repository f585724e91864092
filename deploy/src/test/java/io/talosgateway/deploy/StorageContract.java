package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A test of a gateway process that is run on every kind of storage. One gateway serves all tests of the class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StorageContract {

    private TestStorage storage;
    private GatewayProcess gateway;
    private final List<GatewayProcess> others = new ArrayList<>();

    abstract TestStorage newStorage(Path directory) throws Exception;

    /** What the gateway is configured with beside the storage. */
    Map<String, String> settings() {
        return Map.of();
    }

    /** Names of further gateways of the cluster, for tests of one. */
    List<String> otherHosts() {
        return List.of();
    }

    @BeforeAll
    final void startGateway(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        storage = newStorage(directory);
        Map<String, String> all = new HashMap<>(storage.settings());
        all.putAll(settings());
        Path data = Files.createDirectory(directory.resolve("data"));
        gateway = GatewayProcess.start(data, all);
        for (String host : otherHosts()) {
            all.put("host.name", host);
            all.put("auth.key-file", data.resolve("keys.json").toString());
            others.add(GatewayProcess.start(Files.createDirectory(directory.resolve(host)), all));
        }
    }

    @AfterAll
    final void stopGateway() throws Exception {
        for (GatewayProcess other : others) {
            other.close();
        }
        if (gateway != null) {
            gateway.close();
        }
        if (storage != null) {
            storage.close();
        }
    }

    final List<GatewayProcess> others() {
        return others;
    }

    final GatewayProcess gateway() {
        return gateway;
    }

    final TestStorage storage() {
        return storage;
    }
}
