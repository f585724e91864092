package io.talosgateway.localcluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all commands have: the folder of the cluster. */
abstract class ClusterCommand implements Callable<Integer> {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Folder of the cluster. Default: data/local-cluster of the working copy.")
    private @Nullable Path directory;

    @Spec
    private CommandSpec spec;

    CommandSpec spec() {
        return spec;
    }

    ClusterFolder folder() {
        Path chosen = directory == null ? Installation.fromSystemProperties().defaultFolder() : directory;
        return new ClusterFolder(chosen.toAbsolutePath().normalize());
    }

    @Override
    public abstract Integer call() throws IOException, InterruptedException;

    void say(String text) {
        spec.commandLine().getOut().println(text);
        spec.commandLine().getOut().flush();
    }
}
