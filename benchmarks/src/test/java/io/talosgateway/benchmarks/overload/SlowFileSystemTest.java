package io.talosgateway.benchmarks.overload;

import java.nio.file.Files;
import java.time.Duration;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StreamCapabilities;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

final class SlowFileSystemTest {

    @TempDir
    private java.nio.file.Path temporary;

    @Test
    void syncTakesItsTimeAndWritesWhatTheLocalFileSystemWrites() throws Exception {
        Configuration configuration = new Configuration();
        configuration.set("fs.file.impl", SlowFileSystem.class.getName());
        configuration.setInt(SlowFileSystem.SYNC_MS, 50);
        java.nio.file.Path file = temporary.resolve("file");
        try (FileSystem files = FileSystem.newInstance(temporary.toUri(), configuration)) {
            files.setWriteChecksum(false);
            FSDataOutputStream out = files.create(new Path(file.toUri()));
            assertThat(out.hasCapability(StreamCapabilities.HSYNC)).isTrue();
            out.write(new byte[] {1, 2, 3});
            long beganNanos = System.nanoTime();

            out.hsync();

            assertThat(Duration.ofNanos(System.nanoTime() - beganNanos)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
            assertThat(Files.readAllBytes(file)).containsExactly(1, 2, 3);
            out.close();
        }
    }
}
