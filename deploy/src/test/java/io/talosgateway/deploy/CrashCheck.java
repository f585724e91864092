package io.talosgateway.deploy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.talosgateway.client.GatewayClient;
import io.talosgateway.client.GetOptions;
import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import io.talosgateway.client.Position;

/** Reads everything after a crash test, and compares it with what the writers know. For one thread. */
final class CrashCheck {

    private static final int MOST_PROBLEMS = 20;
    private static final long GET_TIMEOUT_SECONDS = 60;

    private final CrashRun run;
    private final List<List<CrashPut>> puts;
    private final List<String> problems = new ArrayList<>();
    private final List<List<CrashMessage>> read = new ArrayList<>();

    /** @param puts of every writer, in order of their numbers */
    CrashCheck(CrashRun run, List<List<CrashPut>> puts) {
        this.run = run;
        this.puts = puts;
    }

    /** What is wrong; nothing if all is well. */
    List<String> problems() throws Exception {
        GatewayClient client = run.gateway().client().build();
        for (int partition = 0; partition < run.partitions(); partition++) {
            readAll(client, partition);
        }
        puts.forEach(ofWriter -> ofWriter.forEach(put -> note(put.toString(), put.verdict())));
        return problems;
    }

    /** The messages of each partition, in the order of their offsets. */
    List<List<CrashMessage>> read() {
        return read;
    }

    private void note(String what, String problem) {
        if (problem != null && problems.size() < MOST_PROBLEMS) {
            problems.add(what + " " + problem);
        }
    }

    private void readAll(GatewayClient client, int partition) throws Exception {
        List<CrashMessage> found = new ArrayList<>();
        read.add(found);
        while (true) {
            Messages messages = client.get(run.topic(), partition, Position.offset(found.size()), GetOptions.DEFAULT)
                    .get(GET_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            for (Message message : messages.messages()) {
                String where = "partition " + partition + " offset " + message.offset();
                note(where, message.offset() == found.size() ? null : "comes where " + found.size() + " should be");
                found.add(checked(where, partition, message));
            }
            if (messages.messages().isEmpty()) {
                note("partition " + partition, messages.logStartOffset() == 0 ? null : "does not start at offset 0");
                note(
                        "partition " + partition,
                        Long.valueOf(found.size()).equals(messages.logEndOffset()) ? null : "has a gap at its end");
                return;
            }
        }
    }

    private CrashMessage checked(String where, int partition, Message message) {
        CrashMessage header = CrashMessage.of(message.payload());
        if (header == null || putOf(header) == null) {
            note(where, "holds what nobody put");
            return header;
        }
        note(where + ", of " + putOf(header), putOf(header).found(header.index(), partition, message.offset()));
        boolean same = Arrays.equals(message.payload(), header.payload(run.seed()));
        note(where + ", of " + putOf(header), same ? null : "has other bytes than were put");
        return header;
    }

    private CrashPut putOf(CrashMessage message) {
        boolean known = message.writer() >= 0
                && message.writer() < puts.size()
                && message.number() >= 0
                && message.number() < puts.get(message.writer()).size();
        return known ? puts.get(message.writer()).get(message.number()) : null;
    }
}
