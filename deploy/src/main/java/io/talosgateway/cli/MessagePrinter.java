package io.talosgateway.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.talosgateway.client.Message;

/** Prints messages up to a number, and what hinders the reading. Any thread; a message is printed whole. */
final class MessagePrinter {

    private static final JsonFactory JSON = new JsonFactory();

    private final PrintWriter out;
    private final PrintWriter err;
    private final Format format;
    private final long maxMessages;
    private long printed;
    private String warned = "";
    private volatile boolean done;

    /** How a message looks. */
    enum Format {
        VALUE,
        FULL,
        JSON
    }

    MessagePrinter(PrintWriter out, PrintWriter err, Format format, long maxMessages) {
        this.out = out;
        this.err = err;
        this.format = format;
        this.maxMessages = maxMessages;
    }

    synchronized void print(int partition, Iterable<Message> messages) {
        for (Message message : messages) {
            if (done) {
                return;
            }
            warned = "";
            out.println(
                    switch (format) {
                        case VALUE -> message.text();
                        case FULL ->
                            "%d\t%d\t%s\t%s"
                                    .formatted(
                                            partition,
                                            message.offset(),
                                            message.key() == null ? "" : message.key(),
                                            message.text());
                        case JSON -> json(partition, message);
                    });
            printed++;
            done = printed >= maxMessages;
        }
        // Whoever reads this may have seen enough, like 'head'.
        done |= out.checkError();
    }

    /** Says something once, however many partitions meet it. */
    synchronized void warn(String warning) {
        if (!warning.equals(warned)) {
            warned = warning;
            err.println("talos-gateway: " + warning);
            err.flush();
        }
    }

    boolean isDone() {
        return done;
    }

    private static String json(int partition, Message message) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            json.writeNumberField("partition", partition);
            json.writeNumberField("offset", message.offset());
            if (message.key() != null) {
                json.writeStringField("key", message.key());
            }
            switch (message.form()) {
                case TEXT -> json.writeStringField("value", message.text());
                case JSON -> {
                    json.writeFieldName("value");
                    json.writeRawValue(message.text());
                }
                case BYTES -> json.writeBinaryField("valueBase64", message.payload());
            }
            if (message.appendedAtMs() != null) {
                json.writeNumberField("appendedAtMs", message.appendedAtMs());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return text.toString();
    }
}
