package io.talosgateway.deploy;

import java.nio.file.Path;

/** The official SDK's background producer against a gateway on files of this host. */
final class OfficialSdkProducerOnFilesIT extends OfficialSdkProducerContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }
}
