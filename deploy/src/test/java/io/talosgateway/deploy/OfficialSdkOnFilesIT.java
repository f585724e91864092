package io.talosgateway.deploy;

import java.nio.file.Path;

/** The official SDK against a gateway on files of this host. */
final class OfficialSdkOnFilesIT extends OfficialSdkContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }
}
