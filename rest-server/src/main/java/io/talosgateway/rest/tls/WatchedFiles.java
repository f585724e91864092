package io.talosgateway.rest.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Files with certificates that are replaced while the gateway runs. New contents are taken once; contents that cannot be used
 * are logged once, and those before stay in use. For one thread at a time; blocks on the files.
 */
public final class WatchedFiles {

    private final List<Path> paths;
    private final Taker taker;
    private final CertificateMetrics metrics;
    private final Logger log;
    private List<byte[]> seen = List.of();
    private @Nullable String lastProblem;

    /** Takes what is in each of the files, or throws. */
    @FunctionalInterface
    public interface Taker {
        void take(List<byte[]> contents) throws Exception;
    }

    /** @param log where problems are named */
    public WatchedFiles(List<Path> paths, Taker taker, CertificateMetrics metrics, Logger log) {
        this.paths = List.copyOf(paths);
        this.taker = taker;
        this.metrics = metrics;
        this.log = log;
    }

    /**
     * What is in each of the files, for the first time.
     *
     * @throws IOException with a sentence for the operator if one cannot be read
     */
    public List<byte[]> open() throws IOException {
        seen = CertificateFiles.load(paths);
        return seen;
    }

    /** Reads the files, and has new contents taken. Never throws. */
    public void look() {
        try {
            List<byte[]> contents = CertificateFiles.load(paths);
            lastProblem = null;
            if (!isSeen(contents)) {
                seen = contents;
                taker.take(contents);
                metrics.reloaded(true);
            }
        } catch (Exception e) {
            refused(String.valueOf(e.getMessage()));
        }
    }

    private boolean isSeen(List<byte[]> contents) {
        for (int index = 0; index < contents.size(); index++) {
            if (!Arrays.equals(contents.get(index), seen.get(index))) {
                return false;
            }
        }
        return true;
    }

    private void refused(String problem) {
        if (problem.equals(lastProblem)) {
            return;
        }
        lastProblem = problem;
        metrics.reloaded(false);
        log.warn("The new certificate cannot be used, and the old one stays in use. {}", problem);
    }
}
