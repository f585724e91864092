package io.talosgateway.deploy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What the logback.xml of the distribution makes of {@code TALOS_LOG_FORMAT}. */
final class LogFormatTest {

    private static final String HOSTILE = "a \"b\" \\ \r\n{\"forged\":1}\u0000\u001b\u2028\ud800";

    private final LoggerContext context = new LoggerContext();

    @AfterEach
    void stop() {
        context.stop();
    }

    /** The lines of one event that names a request and has a stack trace. */
    private String logged(String format) throws Exception {
        Path file = Path.of("deploy/src/main/distribution/conf/logback.xml");
        context.putProperty("talos.log.format", format);
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure((Files.exists(file) ? file : Path.of("..").resolve(file)).toFile());
        // A warning would have Logback write all its own messages at each start.
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .allSatisfy(status -> assertThat(status.getEffectiveLevel())
                        .as(status.toString())
                        .isZero());

        Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>) root.getAppender("console");
        root.detachAppender(console);
        ListAppender<ILoggingEvent> events = new ListAppender<>();
        events.start();
        root.addAppender(events);
        context.getLogger("io.talosgateway.rest.Example")
                .atError()
                .addKeyValue("requestId", "order-4711")
                .setCause(new IllegalStateException(HOSTILE, new IllegalArgumentException("why")))
                .log("It failed: {}", HOSTILE);
        assertThat(events.list).hasSize(1);
        return new String(console.getEncoder().encode(events.list.get(0)), StandardCharsets.UTF_8);
    }

    @Test
    void jsonIsOneLineWithTheStackTraceInIt() throws Exception {
        String line = logged("json");

        assertThat(line).endsWith("\n");
        assertThat(line.strip()).doesNotContain("\n").doesNotContain("\r");
        JsonNode json = new ObjectMapper().readTree(line);
        assertThat(json.get("level").asText()).isEqualTo("ERROR");
        assertThat(json.get("loggerName").asText()).isEqualTo("io.talosgateway.rest.Example");
        assertThat(json.get("timestamp").asLong()).isPositive();
        assertThat(json.get("formattedMessage").asText()).isEqualTo("It failed: " + HOSTILE.replace('\ud800', '?'));
        assertThat(json.at("/kvpList/0/requestId").asText()).isEqualTo("order-4711");
        assertThat(json.at("/throwable/stepArray/0/className").asText())
                .isEqualTo(getClass().getName());
        assertThat(json.at("/throwable/cause/message").asText()).isEqualTo("why");
    }

    @Test
    void textIsTheDefault() throws Exception {
        assertThat(logged("text"))
                .matches("(?s)\\d{4}-\\d\\d-\\d\\dT\\S+ ERROR \\[\\S+] Example: It failed: a"
                        + " .*java\\.lang\\.IllegalStateException: a .*Caused by:"
                        + " java\\.lang\\.IllegalArgumentException: why.*");
    }
}
