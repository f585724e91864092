package io.talosgateway.localcluster;

import java.io.IOException;

import picocli.CommandLine.Command;

/** {@code fill namenode}. */
@Command(
        name = "fill",
        description = {
            "Lets HDFS take no new blocks for the gateways, as if its disks were full: a space quota of one byte. Blocks that are "
                    + "being written grow on, so that puts are refused (507) when a lane needs its next file.",
            "'free' takes the quota away."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Example:",
            "  local-cluster.sh up --set journal.file-size=1MiB",
            "  local-cluster.sh fill namenode"
        })
final class FillCommand extends OneHostCommand {

    @Override
    void run(Target target) throws IOException, InterruptedException {
        SpaceQuota.set(target, 1);
        say("HDFS takes no new blocks for the gateways; 'free namenode' lets it");
    }
}
