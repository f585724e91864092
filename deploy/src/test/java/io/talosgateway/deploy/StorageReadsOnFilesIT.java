package io.talosgateway.deploy;

import java.nio.file.Path;

/** Reads of the storage by a gateway on files of this host. */
final class StorageReadsOnFilesIT extends StorageReadsContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.files(directory);
    }
}
