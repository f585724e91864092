package io.talosgateway.loadgen.report;

import java.util.List;

import io.talosgateway.loadgen.chart.Numbers;
import io.talosgateway.loadgen.content.Content;
import io.talosgateway.loadgen.plan.LoadPlan;
import org.jspecify.annotations.Nullable;

/**
 * What a run was asked to do, besides what a {@link Report} says at its top.
 *
 * @param processes client processes
 * @param topics their names
 * @param getRate gets a second of all readers together; null if it was not said
 * @param putRatePerThread puts a second of each producer; null if it was not said
 * @param getRatePerThread gets a second of each reader; null if it was not said
 * @param ioThreads of each process, which drive all connections; null if each client has a thread of its own
 * @param format how messages are sent
 * @param batch messages of a put
 * @param sizes of messages, as the user wrote them
 * @param keys how many different keys messages have
 * @param tls whether connections are encrypted
 * @param newConnections whether each request had a connection of its own
 */
public record LoadShape(
        int processes,
        List<String> topics,
        @Nullable Double getRate,
        @Nullable Double putRatePerThread,
        @Nullable Double getRatePerThread,
        @Nullable Integer ioThreads,
        String format,
        int batch,
        String compression,
        String sizes,
        int keys,
        boolean tls,
        boolean newConnections) {

    /** What a put carries, for people. */
    String content(int meanBytes) {
        boolean fixed = !sizes.contains("-") && !sizes.contains(":");
        return "%s%s of %s%s%s, %s"
                .formatted(
                        batch == 1 ? "messages" : batch + " messages a put",
                        keys == 0 ? "" : " with " + keys + " keys",
                        fixed ? Numbers.count(meanBytes) + " bytes" : sizes,
                        fixed ? "" : " (" + Numbers.count(meanBytes) + " bytes in the mean)",
                        compression.equals("none") ? "" : ", " + compression,
                        format);
    }

    static LoadShape of(LoadPlan plan) {
        Content content = plan.content();
        return new LoadShape(
                plan.process().of(),
                plan.target().topics(),
                plan.gets().rate(),
                plan.puts().ratePerClient(),
                plan.gets().ratePerClient(),
                plan.ioThreads(),
                content.format().text(),
                content.batch(),
                content.compression().text(),
                content.sizes().text(),
                content.keys(),
                plan.target().endpoint().tls() != null,
                plan.target().newConnections());
    }
}
