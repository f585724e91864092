package io.talosgateway.loadgen.group;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.cli.ShutdownGate;
import io.talosgateway.loadgen.plan.LoadPlan;
import io.talosgateway.loadgen.run.LoadRun;
import io.talosgateway.loadgen.run.RunEvent;

/**
 * The side of a client process: it makes itself ready, waits for the word to begin on its standard input, does its share of
 * the load and tells how it goes on its standard output. It ends when its input does, so that none is left behind.
 */
public final class ClientProcess {

    /** A word from the command that started it. */
    static final String GO = "go";

    /** The warm-up is over. */
    static final String COUNT = "count";

    static final String STOP = "stop";

    private static final Duration LAST_WORDS = Duration.ofSeconds(40);

    private final LoadPlan plan;
    private final InputStream in;
    private final PrintStream out;
    private final Runnable halt;
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch done = new CountDownLatch(1);

    /** @param halt ends the process at once */
    public ClientProcess(LoadPlan plan, InputStream in, PrintStream out, Runnable halt) {
        this.plan = plan;
        this.in = in;
        this.out = out;
        this.halt = halt;
    }

    /** Does the run and tells of it, or tells why it cannot. */
    public void run() throws InterruptedException {
        try {
            LoadRun run = new LoadRun(plan, this::say);
            ShutdownGate lastWords = ShutdownGate.before(
                    () -> {
                        run.interrupt();
                        go.countDown();
                    },
                    LAST_WORDS);
            try {
                listen(run);
                say(RunEvent.ready());
                go.await();
                say(RunEvent.facts(run.run()));
            } finally {
                done.countDown();
                lastWords.areSaid();
            }
        } catch (LoadFailure e) {
            say(RunEvent.failed(String.valueOf(e.getMessage())));
        }
    }

    private void listen(LoadRun run) {
        Thread thread = new Thread(() -> listenTo(run), "words");
        thread.setDaemon(true);
        thread.start();
    }

    private void listenTo(LoadRun run) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                switch (line) {
                    case COUNT -> run.endWarmup();
                    case STOP -> run.interrupt();
                    default -> {}
                }
                // Also a run that never began ends, with nothing.
                go.countDown();
            }
        } catch (IOException e) {
            // As if it had ended.
        }
        run.interrupt();
        go.countDown();
        try {
            if (!done.await(LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)) {
                halt.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void say(RunEvent event) {
        out.println(event.toLine());
        out.flush();
    }
}
