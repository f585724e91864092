package io.talosgateway.deploy;

import java.nio.file.Path;

/** Kills of a gateway on files of this host. */
final class CrashOnFilesIT extends CrashContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }
}
