package io.talosgateway.deploy;

import java.nio.file.Path;

/** Reads of the storage by a gateway on HDFS. */
final class StorageReadsOnHdfsIT extends StorageReadsContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.hdfs(directory);
    }
}
