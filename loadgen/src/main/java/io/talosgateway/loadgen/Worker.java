package io.talosgateway.loadgen;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests one after another, each when the one before is answered and, in an open loop, when it is due, until the
 * window is over. A request that fails is counted and not repeated. In a closed loop the next follows after a pause, so that a
 * gateway that refuses is not hammered.
 */
abstract class Worker implements Runnable {

    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Connection connection;
    private final Window window;
    private final @Nullable Pacing pacing;
    private final Consumer<String> giveUp;
    private final KindRecorder recorder;

    /**
     * @param pacing null for a closed loop
     * @param recorder counts what comes of the requests
     * @param giveUp called with a sentence for the user if no request of this kind can succeed
     */
    Worker(
            Connection connection,
            Window window,
            @Nullable Pacing pacing,
            KindRecorder recorder,
            Consumer<String> giveUp) {
        this.pacing = pacing;
        this.recorder = recorder;
        this.connection = connection;
        this.window = window;
        this.giveUp = giveUp;
    }

    final KindRecorder recorder() {
        return recorder;
    }

    /** Lays out the next request. */
    abstract ByteBuffer[] nextRequest();

    /** Counts an answer that is not an error. */
    abstract void answered(HttpAnswer answer, long sentAtNanos, long doneAtNanos);

    /** Hears of an error and says whether the load makes sense without requests like this. */
    abstract boolean goesOnAfter(int status);

    final Window window() {
        return window;
    }

    @Override
    public final void run() {
        try (connection) {
            while (!window.isOver(System.nanoTime())) {
                if (pacing != null) {
                    exchangeInTime(pacing);
                } else if (!exchange(null)) {
                    window.await(PAUSE_NANOS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            giveUp.accept("The load generator made a mistake: " + e);
            throw e;
        }
    }

    private void exchangeInTime(Pacing pace) throws InterruptedException {
        long dueNanos = pace.nextNanos();
        for (long left = dueNanos - System.nanoTime(); left > 0; left = dueNanos - System.nanoTime()) {
            if (window.isOver(dueNanos) || window.isClosed()) {
                return;
            }
            window.await(left);
        }
        exchange(dueNanos);
    }

    /**
     * Sends a request and counts what comes of it: an answer from when it was due, an error from when it was sent, since that is
     * when the request's time begins.
     *
     * @param dueNanos null for when it is sent
     * @return false if it failed
     */
    private boolean exchange(@Nullable Long dueNanos) {
        try {
            connection.open();
            long sentAtNanos = System.nanoTime();
            HttpAnswer answer = connection.exchange(nextRequest());
            if (answer.status() < 300) {
                answered(answer, dueNanos == null ? sentAtNanos : dueNanos, System.nanoTime());
                return true;
            }
            refused(answer);
            recorder.refused(window.contains(sentAtNanos), System.nanoTime() - sentAtNanos);
        } catch (ConnectException e) {
            failed("not-connected", e);
        } catch (SocketTimeoutException e) {
            failed("no-answer", e);
        } catch (IOException e) {
            failed("connection-broken", e);
        }
        return false;
    }

    private void failed(String code, IOException reason) {
        String detail = reason.getMessage();
        recorder.failed(0, code, detail == null ? reason.getClass().getSimpleName() : detail);
    }

    private void refused(HttpAnswer answer) {
        JsonNode problem = problem(answer.errorBody());
        String code = problem == null ? "" : problem.path("code").asText("");
        String detail = problem == null ? "" : problem.path("detail").asText("");
        recorder.failed(answer.status(), code, detail);
        if (!goesOnAfter(answer.status())) {
            giveUp.accept("The gateway refuses: %s (%d%s)"
                    .formatted(
                            detail.isEmpty() ? "it does not say why" : detail,
                            answer.status(),
                            code.isEmpty() ? "" : " " + code));
        }
    }

    private static @Nullable JsonNode problem(String body) {
        try {
            return MAPPER.readTree(body);
        } catch (IOException e) {
            return null;
        }
    }

    /** Gives up a request that has waited for too long. Any thread. */
    final void giveUpIfDue(long nowNanos) {
        connection.giveUpIfDue(nowNanos);
    }
}
