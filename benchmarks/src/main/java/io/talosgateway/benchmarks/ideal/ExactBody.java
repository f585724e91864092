package io.talosgateway.benchmarks.ideal;

import java.util.function.BiConsumer;

import io.talosgateway.wire.message.ByteSlice;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/** Reads the body of a request, whose length is known, by demand into one buffer of that size. */
final class ExactBody implements Invocable.Task {

    private final Request request;
    private final byte[] buffer;
    private final BiConsumer<@Nullable ByteSlice, @Nullable Throwable> whenDone;
    private int length;

    /** @param whenDone called once, on a Jetty thread: with the body, or with why there is none */
    ExactBody(Request request, int length, BiConsumer<@Nullable ByteSlice, @Nullable Throwable> whenDone) {
        this.request = request;
        this.buffer = new byte[length];
        this.whenDone = whenDone;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public void run() {
        while (true) {
            Content.Chunk chunk = request.read();
            if (chunk == null) {
                request.demand(this);
                return;
            }
            if (Content.Chunk.isFailure(chunk)) {
                whenDone.accept(null, chunk.getFailure());
                return;
            }
            int more = chunk.remaining();
            chunk.get(buffer, length, more);
            length += more;
            chunk.release();
            if (chunk.isLast()) {
                whenDone.accept(new ByteSlice(buffer), null);
                return;
            }
        }
    }
}
