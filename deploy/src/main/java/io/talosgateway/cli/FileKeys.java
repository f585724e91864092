package io.talosgateway.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;

import io.talosgateway.rest.auth.AccessKey;
import io.talosgateway.rest.auth.KeyFile;
import io.talosgateway.rest.auth.KeySettings;
import io.talosgateway.rest.auth.NewKey;

/** The keys of a gateway's key file. */
record FileKeys(Path file) implements Keys {

    @Override
    public String place() {
        return file.toString();
    }

    @Override
    public Secret create(NewKey wanted) throws IOException {
        AccessKey key = KeyFile.add(file, wanted, InstantSource.system());
        return new Secret(key.id(), key.secret(), key.owner());
    }

    @Override
    public List<Row> list() throws IOException {
        return KeyFile.read(file).stream()
                .map(key -> new Row(
                        key.id(),
                        key.owner(),
                        key.admin(),
                        key.settings().scope().permissionNames(),
                        key.settings().scope().topics(),
                        key.settings().disabled(),
                        key.settings().expiresAtMs(),
                        null,
                        "file",
                        key.settings().description(),
                        null,
                        key.createdAtMs()))
                .toList();
    }

    @Override
    public void change(String id, UnaryOperator<KeySettings> change) throws IOException {
        KeyFile.change(file, id, key -> key.with(change.apply(key.settings())));
    }

    @Override
    public Secret rotate(String id, Duration keepOldFor) throws IOException {
        long untilMs = InstantSource.system().millis() + keepOldFor.toMillis();
        AccessKey key = KeyFile.change(file, id, old -> old.rotated(NewKey.newSecret(), untilMs));
        return new Secret(key.id(), key.secret(), key.owner());
    }

    @Override
    public void delete(String id) throws IOException {
        KeyFile.delete(file, id);
    }
}
