package io.talosgateway.rest.journal;

/**
 * Names a journal: everything that one incarnation of a host writes.
 *
 * @param host name of the host
 * @param incarnation number of the incarnation; each start of a host, and each new session, has a higher one
 */
public record JournalId(String host, long incarnation) implements Comparable<JournalId> {

    /** The directory under which all journals are. */
    public static final String ROOT = "journals";

    public static String hostDirectory(String host) {
        return ROOT + "/" + host;
    }

    public String directory() {
        return "%s/%010d".formatted(hostDirectory(host), incarnation);
    }

    /** A file without which the journal's writer must not acknowledge anything from a file it creates. */
    public String openPath() {
        return directory() + "/OPEN";
    }

    /** Names the files that were there when the journal was fenced; others do not count. */
    public String manifestPath() {
        return directory() + "/MANIFEST";
    }

    @Override
    public int compareTo(JournalId other) {
        int byHost = host.compareTo(other.host);
        return byHost != 0 ? byHost : Long.compare(incarnation, other.incarnation);
    }

    @Override
    public String toString() {
        return host + "/" + incarnation;
    }
}
