package io.talosgateway.client;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import com.fasterxml.jackson.core.type.TypeReference;

/**
 * A member of a consumer group, which processes its share of the partitions of a topic. Each poll gets messages of one of them; commit
 * them when they are processed, then poll again. What is not committed comes again, to this member or to another one, so that messages
 * are processed at least once.
 *
 * <p>A member has no connection: the gateway knows it by its id, and each request may go to another host. One that asks for nothing during
 * its lease has gone, and others get its partitions: {@link #keepAlive} while processing takes long. Safe for use by any thread; futures
 * fail as those of {@link TalosClient}.
 */
public final class GroupMember {

    private final GatewayClient client;
    private final String path;
    private final String id;

    /** @param membersPath of the members of the group */
    GroupMember(GatewayClient client, String membersPath, String id) {
        this.client = client;
        this.path = membersPath + "/" + GatewayClient.encoded(id);
        this.id = id;
    }

    private record Lease(long leaseMs) {}

    private record Commit(int partition, long nextOffset) {}

    public String id() {
        return id;
    }

    /** Gets messages that are not committed, after asking for the member's share of the partitions. */
    public CompletableFuture<Polled> poll(GetOptions options) {
        return client.post(path + "/poll?" + options.query(), new TypeReference<Polled>() {}, options.maxWait());
    }

    /** Says that all messages of a poll are processed; fails as {@link #commit(int, long)}. */
    public CompletableFuture<Void> commit(Polled polled) {
        Integer partition = polled.partition();
        Long nextOffset = polled.nextOffset();
        return partition == null || nextOffset == null
                ? CompletableFuture.completedFuture(null)
                : commit(partition, nextOffset);
    }

    /**
     * Says that the messages of a partition below an offset are processed; fails with the code {@code partition-not-assigned} if the
     * member does not hold the partition any more. Who does gets the messages again.
     */
    public CompletableFuture<Void> commit(int partition, long nextOffset) {
        return client.change("POST", path + "/commit", Json.write(new Commit(partition, nextOffset)));
    }

    /**
     * Stays a member while messages are processed.
     *
     * @return how long from now it is one without asking for anything
     */
    public CompletableFuture<Duration> keepAlive() {
        return client.post(path + "/heartbeat", new TypeReference<Lease>() {}, Duration.ZERO)
                .thenApply(lease -> Duration.ofMillis(lease.leaseMs));
    }

    /** Goes, so that others get its partitions at once. */
    public CompletableFuture<Void> leave() {
        return client.change("DELETE", path, null);
    }
}
