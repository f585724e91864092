package io.talosgateway.deploy;

import java.nio.file.Path;

/** The official SDK's background producer against a gateway on HDFS. */
final class OfficialSdkProducerOnHdfsIT extends OfficialSdkProducerContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.hdfs(directory);
    }
}
