package io.talosgateway.benchmarks.scaling;

import java.io.PrintWriter;

/** Says now and then how far something is. For one thread. */
final class Progress {

    private static final long EVERY_NANOS = 2_000_000_000;

    private final PrintWriter out;
    private String what = "";
    private long saidNanos = System.nanoTime();

    Progress(PrintWriter out) {
        this.out = out;
    }

    /** Something else is begun. */
    void begin(String next) {
        what = next;
        out.println(what);
        out.flush();
        saidNanos = System.nanoTime();
    }

    void report(long done, long of) {
        if (System.nanoTime() - saidNanos > EVERY_NANOS) {
            saidNanos = System.nanoTime();
            out.printf("%s: %,d of %,d%n", what, done, of);
            out.flush();
        }
    }
}
