package io.talosgateway.deploy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A test of a gateway process that is run on every kind of storage. One gateway serves all tests of the class. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StorageContract {

    private TestStorage storage;
    private GatewayProcess gateway;

    abstract TestStorage newStorage(Path directory) throws Exception;

    /** What the gateway is configured with beside the storage. */
    Map<String, String> settings() {
        return Map.of();
    }

    @BeforeAll
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    final void startGateway(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path directory) throws Exception {
        storage = newStorage(directory);
        Map<String, String> all = new HashMap<>(storage.settings());
        all.putAll(settings());
        gateway = GatewayProcess.start(Files.createDirectory(directory.resolve("data")), all);
    }

    @AfterAll
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    final void stopGateway() throws Exception {
        if (gateway != null) {
            gateway.close();
        }
        if (storage != null) {
            storage.close();
        }
    }

    final GatewayProcess gateway() {
        return gateway;
    }

    final TestStorage storage() {
        return storage;
    }
}
