package io.talosgateway.verifier;

import java.util.ArrayList;
import java.util.List;

import io.talosgateway.client.Message;
import io.talosgateway.client.Messages;
import io.talosgateway.verifier.HistoryOperation.Kind;

/** The histories of one phase, by partition. Safe for use by any thread. */
final class PhaseLog implements CallLog {

    private static final int MOST_OF_A_PARTITION = 5_000;

    private final WrittenContent content;
    private final List<String> gateways;
    private final List<List<HistoryOperation>> histories = new ArrayList<>();

    /** @param earlier by partition: puts of earlier phases which may still take effect */
    PhaseLog(WrittenContent content, List<String> gateways, List<List<HistoryOperation>> earlier) {
        this.content = content;
        this.gateways = gateways;
        earlier.forEach(puts -> histories.add(new ArrayList<>(puts)));
    }

    /** Whether no more operations should begin; those under way are still taken. */
    synchronized boolean isFull() {
        return histories.stream().anyMatch(history -> history.size() >= MOST_OF_A_PARTITION);
    }

    synchronized List<HistoryOperation> history(int partition) {
        return List.copyOf(histories.get(partition));
    }

    @Override
    public synchronized void attempted(Attempt attempt) {
        PutAnswer answer = attempt.answer();
        Kind kind = switch (answer.outcome()) {
            case STORED -> answer.repeat() ? Kind.REPEAT : Kind.PUT;
            case UNKNOWN -> Kind.MAYBE_PUT;
            case NOT_STORED -> null;
        };
        if (kind != null) {
            boolean unknown = kind == Kind.MAYBE_PUT;
            histories
                    .get(attempt.partition())
                    .add(new HistoryOperation(
                            kind,
                            attempt.startNanos(),
                            unknown ? HistoryOperation.NEVER : attempt.endNanos(),
                            unknown ? HistoryOperation.UNPLACED : answer.firstOffset(),
                            List.of(ObservedMessage.of(new MessageId(attempt.writer(), attempt.number(), 0))),
                            gateways.get(attempt.gateway())));
        }
    }

    /**
     * The place that a get from 'latest' looks up, the messages, and the end that is named are read one after another: each of
     * them is an operation.
     */
    @Override
    public synchronized void got(Get get) {
        Messages messages = get.answer().messages();
        if (messages != null) {
            List<ObservedMessage> payloads = new ArrayList<>();
            long from = messages.nextOffset() - messages.messages().size();
            for (Message message : messages.messages()) {
                boolean inPlace = message.offset() == from + payloads.size();
                payloads.add(inPlace ? content.read(message.payload()) : ObservedMessage.foreign(payloads.size()));
            }
            if (get.from().equals(From.LATEST)) {
                add(get, Kind.END, from, List.of());
            }
            add(get, Kind.READ, from, payloads);
            Long end = messages.logEndOffset();
            if (end != null) {
                add(get, Kind.END, end, List.of());
            }
        } else if (get.answer().isOutOfRange()) {
            add(get, Kind.BEYOND, get.from().offset(), List.of());
        }
    }

    private void add(Get get, Kind kind, long offset, List<ObservedMessage> payloads) {
        histories
                .get(get.partition())
                .add(new HistoryOperation(
                        kind, get.startNanos(), get.endNanos(), offset, payloads, gateways.get(get.gateway())));
    }
}
