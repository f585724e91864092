package io.talosgateway.rest.peer;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import org.slf4j.LoggerFactory;

/** What an operator reads while it is open: warnings and errors. */
public final class LogLines implements AutoCloseable {

    private final List<String> loggers;
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    /** Of forwarding, of the peer port and of libthrift. */
    LogLines() {
        this("io.talosgateway.rest.peer", "io.talosgateway.rest.forwarding", "org.apache.thrift");
    }

    /** Of a class. */
    public LogLines(Class<?> type) {
        this(type.getName());
    }

    public LogLines(String... names) {
        loggers = List.of(names);
        lines.start();
        for (String name : loggers) {
            Logger logger = logger(name);
            logger.setLevel(Level.WARN);
            logger.setAdditive(false);
            logger.addAppender(lines);
        }
    }

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    private List<ILoggingEvent> events() {
        synchronized (lines) {
            return List.copyOf(lines.list);
        }
    }

    public List<String> texts() {
        return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Forgets what it has read, but for stack traces. */
    void clear() {
        synchronized (lines) {
            lines.list.removeIf(event -> event.getThrowableProxy() == null);
        }
    }

    /** Lines that come with a stack trace, with it. */
    public List<String> withStackTrace() {
        return events().stream()
                .filter(event -> event.getThrowableProxy() != null)
                .map(event ->
                        event.getFormattedMessage() + "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy()))
                .toList();
    }

    @Override
    public void close() {
        for (String name : loggers) {
            Logger logger = logger(name);
            logger.detachAppender(lines);
            logger.setAdditive(true);
            logger.setLevel(null);
        }
    }
}
