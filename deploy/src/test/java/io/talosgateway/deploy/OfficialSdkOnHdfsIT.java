package io.talosgateway.deploy;

import java.nio.file.Path;

/** The official SDK against a gateway on HDFS. */
final class OfficialSdkOnHdfsIT extends OfficialSdkContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.hdfs(directory);
    }
}
