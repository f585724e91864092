package io.talosgateway.loadgen.experiment.engine;

import java.io.IOException;
import java.util.List;

/** A question, and how to answer it. One class for each, and a line in the registry. Stateless. */
public interface Experiment {

    /** As users call it: small letters and hyphens. */
    String name();

    /** What is asked, in one sentence. */
    String question();

    /** What is started, loaded and measured: paragraphs for the help. */
    List<String> description();

    /** What is used if the user does not say otherwise. */
    Timing timing(Scale scale);

    /** What {@code --storage} is if the user does not say; HDFS is the kind of the published experiments. */
    default StorageKind storage() {
        return StorageKind.HDFS;
    }

    /** What {@code --only} can choose among, in the order of the tables. */
    List<String> variants(TrialSettings settings);

    /** How long all of it takes and what it needs, a line for the help. */
    String cost(TrialSettings settings);

    /** Whether programs are needed that are not in the distribution. */
    boolean needsKit(TrialSettings settings);

    /**
     * Does it, and says and keeps what came of it.
     *
     * @return the exit status
     * @throws IOException if it cannot be done; the message is a sentence for the user
     */
    int run(TrialEnvironment environment) throws IOException, InterruptedException;
}
