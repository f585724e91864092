package io.talosgateway.localcluster;

import java.io.IOException;

import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import picocli.CommandLine.Command;

/** {@code free namenode}. */
@Command(
        name = "free",
        description = "Lets HDFS take new blocks again after 'fill'.",
        mixinStandardHelpOptions = true,
        footer = {"", "Example:", "  local-cluster.sh free namenode"})
final class FreeCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        SpaceQuota.set(target, HdfsConstants.QUOTA_RESET);
        say("HDFS takes new blocks again");
    }
}
