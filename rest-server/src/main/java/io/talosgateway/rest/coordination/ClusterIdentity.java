package io.talosgateway.rest.coordination;

import java.io.IOException;

import org.jspecify.annotations.Nullable;

/** The id that all hosts of a cluster, and its storage, share. Methods block. */
public interface ClusterIdentity {

    /**
     * The id, or null if there is no cluster yet.
     *
     * @throws IOException with a sentence for the operator if what is recorded there is not ours
     */
    @Nullable
    String clusterId() throws IOException;

    /**
     * What the hosts of the cluster prove to each other that they know; null if there is no cluster yet, or its first host had a
     * configured secret.
     *
     * @throws IOException with a sentence for the operator if what is recorded there is not ours
     */
    @Nullable
    String clusterSecret() throws IOException;

    /** Makes up an id for a new cluster, or returns the one that another host was faster to make up. */
    String createClusterId() throws IOException;
}
