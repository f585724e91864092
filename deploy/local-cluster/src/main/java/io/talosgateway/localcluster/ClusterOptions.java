package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all commands have: the folder of the cluster, and the terminal. */
class ClusterOptions {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder of the cluster. Default: data/local-cluster of the working copy.")
    private @Nullable Path directory;

    private @Nullable ClusterHosts hosts;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    final CommandSpec command() {
        return command;
    }

    final ClusterFolder folder() {
        Path chosen = directory == null ? Path.of(LocalCluster.property("directory")) : directory;
        return new ClusterFolder(chosen.toAbsolutePath().normalize());
    }

    /**
     * The hosts as the folder had them when this was called first.
     *
     * @throws ClusterFailure if there is no cluster in the folder
     */
    final ClusterHosts hosts() throws IOException {
        ClusterHosts known = hosts;
        if (known == null) {
            ClusterFolder folder = folder();
            known = new ClusterHosts(folder.readExisting(), folder);
            hosts = known;
        }
        return known;
    }

    final void say(String text) {
        command.commandLine().getOut().println(text);
        command.commandLine().getOut().flush();
    }
}
