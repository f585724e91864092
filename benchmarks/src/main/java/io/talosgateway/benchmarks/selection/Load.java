package io.talosgateway.benchmarks.selection;

/**
 * What is offered, whatever the pool does.
 *
 * @param perSecond tasks a second, at random times (a Poisson process)
 * @param keys each task is of one of them, at random
 * @param waitMs mean of the time that a task waits for what it does, exponentially distributed
 * @param cpuTokens what a task computes, as JMH's {@code Blackhole.consumeCPU} counts it
 * @param warmupSeconds before anything counts
 * @param seconds that count
 * @param seed of times, keys and waits
 */
record Load(int perSecond, int keys, double waitMs, long cpuTokens, int warmupSeconds, int seconds, long seed) {}
