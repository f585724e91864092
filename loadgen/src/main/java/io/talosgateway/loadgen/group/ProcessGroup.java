package io.talosgateway.loadgen.group;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.talosgateway.loadgen.cli.LoadFailure;
import io.talosgateway.loadgen.measure.RunFacts;
import io.talosgateway.loadgen.measure.SettledRate;
import io.talosgateway.loadgen.plan.TrafficOptions;
import io.talosgateway.loadgen.process.ChildProcess;
import io.talosgateway.loadgen.run.Load;
import io.talosgateway.loadgen.run.RunEvent;
import org.jspecify.annotations.Nullable;

/**
 * A run of load in several client processes, all begun at the same moment; what they count is added up as if they were one.
 * If one fails, the others are stopped, and what there is is kept.
 */
public final class ProcessGroup implements Load {

    private static final int MAX_WAITING_MESSAGES = 1000;
    private static final int STOP_SECONDS = 40;

    /** @param message null when the process has ended */
    private record Heard(int process, @Nullable RunEvent message) {}

    private final Class<?> program;
    private final List<String> arguments;
    private final int processes;
    private final boolean endsWarmup;
    private final SettledRate rate = new SettledRate();
    private final Consumer<RunEvent> listener;
    private final TakeMerge merge;
    private final BlockingQueue<Heard> heard = new ArrayBlockingQueue<>(MAX_WAITING_MESSAGES);
    private final List<Process> children = new ArrayList<>();
    private final CountDownLatch allStarted = new CountDownLatch(1);

    // Of the thread that runs it.
    private final RunFacts[] facts;
    private int ready;
    private long answered;
    private @Nullable String failure;

    /**
     * Copies of this program, with the same Java, JVM options and class path.
     *
     * @param program the class with its main method
     * @param arguments of this program, which each copy gets too
     * @param endsWarmup whether the warm-up is over when the rate of all together has stopped rising
     */
    public ProcessGroup(
            Class<?> program, List<String> arguments, int processes, boolean endsWarmup, Consumer<RunEvent> listener) {
        this.program = program;
        this.arguments = arguments;
        this.processes = processes;
        this.endsWarmup = endsWarmup;
        this.listener = listener;
        this.merge = new TakeMerge(processes, this::merged);
        this.facts = new RunFacts[processes];
    }

    @Override
    public void interrupt() {
        try {
            if (allStarted.await(STOP_SECONDS, TimeUnit.SECONDS)) {
                tellAll(ClientProcess.STOP);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public RunFacts run() throws InterruptedException {
        try {
            for (int process = 0; process < processes; process++) {
                start(process);
            }
            allStarted.countDown();
            hearThemOut();
        } finally {
            allStarted.countDown();
            children.forEach(Process::destroy);
        }
        List<RunFacts> all = Arrays.stream(facts).filter(Objects::nonNull).toList();
        if (all.isEmpty()) {
            throw new LoadFailure(failure == null ? "No client process came to an end" : failure);
        }
        RunFacts merged = RunFacts.merged(all);
        return failure == null ? merged : merged.failedWith(failure);
    }

    private void start(int process) {
        try {
            List<String> command = new ArrayList<>(List.of(ChildProcess.java()));
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
            command.addAll(arguments);
            command.addAll(List.of(TrafficOptions.AS_PROCESS, Integer.toString(process)));
            Process child = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            synchronized (children) {
                children.add(child);
            }
            Thread thread = new Thread(() -> listen(process, child), "process-" + process);
            thread.setDaemon(true);
            thread.start();
        } catch (IOException e) {
            throw new LoadFailure("A client process cannot be started: " + e.getMessage(), e);
        }
    }

    private void listen(int process, Process child) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            try {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    heard.put(new Heard(process, RunEvent.parse(line)));
                }
            } catch (IOException | IllegalArgumentException e) {
                heard.put(new Heard(
                        process,
                        RunEvent.failed(
                                "Client process %d cannot be heard: %s".formatted(process + 1, e.getMessage()))));
            }
            heard.put(new Heard(process, null));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void hearThemOut() throws InterruptedException {
        int left = processes;
        while (left > 0) {
            Heard next = heard.take();
            if (next.message != null) {
                hear(next.process, next.message);
                continue;
            }
            left--;
            merge.gone(next.process);
            if (facts[next.process] == null) {
                fail(failure == null ? death(next.process) : failure);
            }
        }
    }

    private void hear(int process, RunEvent message) {
        switch (message.type()) {
            case READY -> {
                ready++;
                if (ready == processes) {
                    tellAll(ClientProcess.GO);
                }
            }
            case WARM_UP, BEGIN, SECOND, END -> merge.add(process, message);
            case FACTS -> {
                RunFacts its = Objects.requireNonNull(message.facts());
                facts[process] = its;
                if (its.failure() != null) {
                    fail(its.failure());
                }
            }
            case FAILED -> fail(Objects.requireNonNull(message.failure()));
        }
    }

    /** What they all did. */
    private void merged(RunEvent event) {
        listener.accept(event);
        answered += event.answered();
        if (endsWarmup && event.type() == RunEvent.Type.WARM_UP && rate.second(answered)) {
            tellAll(ClientProcess.COUNT);
        }
    }

    /** @throws LoadFailure if the load has not begun */
    private void fail(String reason) {
        if (ready < processes) {
            throw new LoadFailure(reason);
        }
        if (failure == null) {
            failure = reason;
            tellAll(ClientProcess.STOP);
        }
    }

    private String death(int process) throws InterruptedException {
        Process child = children.get(process);
        return "Client process %d ended with status %d before its time".formatted(process + 1, child.waitFor());
    }

    private void tellAll(String word) {
        byte[] line = (word + "\n").getBytes(StandardCharsets.US_ASCII);
        synchronized (children) {
            for (Process child : children) {
                try {
                    child.getOutputStream().write(line);
                    child.getOutputStream().flush();
                } catch (IOException e) {
                    // It has ended; its own messages say how.
                }
            }
        }
    }
}
