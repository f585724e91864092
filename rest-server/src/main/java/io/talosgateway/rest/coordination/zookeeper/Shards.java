package io.talosgateway.rest.coordination.zookeeper;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

import com.google.common.hash.Hashing;
import io.talosgateway.rest.topic.TopicId;

/**
 * Divides the children of a node among 256 nodes below it, because ZooKeeper gives a list of children in one answer, and refuses
 * answers of more than a megabyte ({@code jute.maxbuffer}). A million topics with the longest names are 350 KB in each. Stateless.
 */
public final class Shards {

    /** All of them, as two hex digits. */
    static final List<String> ALL = IntStream.range(0, 256)
            .mapToObj(shard -> HexFormat.of().toHexDigits((byte) shard))
            .toList();

    /**
     * More children than this are not created in one: names of 80 characters, which take 84 bytes in an answer, fill it at 12,483.
     * Whoever looks for names that belong to the same shard finds as many as he wants.
     */
    static final int MOST_CHILDREN = 10_000;

    private Shards() {}

    /** Where a topic is: below the first byte of the SHA-256 hash of its name. */
    public static String pathOf(String directory, String name) {
        String shard = Hashing.sha256().hashString(name, StandardCharsets.UTF_8).toString();
        return directory + "/" + shard.substring(0, 2) + "/" + name;
    }

    /** Where something of a topic is: below the first byte of its id, which is random. */
    public static String pathOf(String directory, TopicId topic) {
        String name = topic.toString();
        return directory + "/" + name.substring(0, 2) + "/" + name;
    }
}
