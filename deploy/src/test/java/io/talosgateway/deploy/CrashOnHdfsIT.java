package io.talosgateway.deploy;

import java.nio.file.Path;

/** Kills of a gateway on HDFS. */
final class CrashOnHdfsIT extends CrashContract {

    @Override
    TestStorage newStorage(Path directory) throws Exception {
        return TestStorage.hdfs(directory);
    }
}
